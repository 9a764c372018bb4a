import Playback
import Testing
import TuttiTestSupport

@testable import TuttiPlayCommand

@Suite("Inputs on the command line")
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
        #expect(try PlayInputs.expand([folder.path]).map(\.path) == expected.map { folder.path + "/" + $0 })
    }

    @Test("files and addresses stay as they are, in their order")
    func named() throws {
        let folder = try MusicFolder()
        let file = try folder.add("anything.bin")
        try folder.add("sub/b.wav")
        let words = ["http://radio.example/stream", file, folder.path + "/sub", file]
        #expect(
            try PlayInputs.expand(words).map(\.path)
                == ["http://radio.example/stream", file, folder.path + "/sub/b.wav", file])
        #expect(try PlayInputs.expand([]) == [])
    }

    @Test("lists give what they name, one level deep, under the names they have for it")
    func lists() throws {
        let folder = try MusicFolder()
        let inner = try folder.add("inner.pls", Array("[playlist]\nFile1=x.mp3\n".utf8))
        let text = "#EXTM3U\n#EXTINF:1,A song\na.mp3\ninner.pls\nhttp://radio.example/live\n"
        let list = try folder.add("list.m3u", Array(text.utf8))
        #expect(
            try PlayInputs.expand([list]) == [
                PlayInput(path: folder.path + "/a.mp3", title: "A song"), PlayInput(path: inner),
                PlayInput(path: "http://radio.example/live"),
            ])
        let empty = try folder.add("empty.m3u", Array("#EXTM3U\n".utf8))
        #expect(throws: PlayInputError.self) { try PlayInputs.expand([empty]) }
    }

    @Test("encoded files and folders are no raw samples")
    func raw() throws {
        let folder = try MusicFolder()
        let samples = try folder.add("samples.raw")
        let pipe = PlayInput(path: samples, pipe: PlayInput.Pipe(format: .standard))
        #expect(try PlayInputs.expand([samples], format: .standard) == [pipe])
        for path in [folder.path, try folder.add("a.FLAC"), try folder.add("a.m3u"), "http://a.example/b"] {
            let error = #expect(throws: PlayInputError.self) {
                try PlayInputs.expand(["-", path], format: .standard, isTerminal: false)
            }
            #expect(error?.description.contains("--format is for raw samples") == true)
            #expect(error?.description.contains(path) == true)
        }
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
