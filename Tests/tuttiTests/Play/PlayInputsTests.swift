import Testing

@testable import tutti

@Suite("What the command line names")
struct PlayInputsTests {
    @Test("a folder gives its music in the order of its numbers")
    func folder() throws {
        let folder = try MusicFolder()
        for name in [
            "10 j.flac", "2 b.flac", "1 a.FLAC", "cover.jpg", "notes.txt", "B/2.mp3", "B/10.mp3", "B/1.mp3",
            "a.m4a",
            "flac",
        ] {
            try folder.add(name)
        }
        let expected = ["1 a.FLAC", "2 b.flac", "10 j.flac", "a.m4a", "B/1.mp3", "B/2.mp3", "B/10.mp3"]
        #expect(try PlayInputs.expand([folder.path]) == expected.map { folder.path + "/" + $0 })
    }

    @Test("files and addresses stay as they are, in their order")
    func named() throws {
        let folder = try MusicFolder()
        let file = try folder.add("anything.bin")
        try folder.add("sub/b.wav")
        let words = ["http://radio.example/stream", file, folder.path + "/sub", file]
        #expect(
            try PlayInputs.expand(words)
                == ["http://radio.example/stream", file, folder.path + "/sub/b.wav", file])
        #expect(try PlayInputs.expand([]) == [])
    }

    @Test("an empty folder and a missing file are named")
    func missing() throws {
        let folder = try MusicFolder()
        try folder.add("cover.jpg")
        let empty = #expect(throws: PlayInputError.self) { try PlayInputs.expand([folder.path]) }
        #expect(empty?.description == "there is no music in '\(folder.path)'")
        let missing = #expect(throws: PlayInputError.self) {
            try PlayInputs.expand([folder.path + "/no.wav"])
        }
        #expect(missing?.description == "there is no file '\(folder.path)/no.wav'")
    }
}
