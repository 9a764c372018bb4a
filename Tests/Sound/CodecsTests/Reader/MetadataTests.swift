import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@testable import TuttiCodecs

@Suite("File metadata and streams")
struct MetadataTests {
    @Test(
        "all metadata is kept, under the library's names",
        arguments: ["a.flac", "aac.m4a", "cbr.mp3", "a.ogg"])
    func words(name: String) throws {
        let folder = try TestFolder()
        var file = MediaFile.kind(name)
        file.tags = [("title", "Übung"), ("composer", "N. N."), ("copyright", "nobody")]
        try file.write(Signal.sweep(frameCount: 20_000), to: folder.file(name))
        let metadata = try MediaReader(folder.file(name)).info.metadata
        for (key, value) in file.tags {
            #expect(metadata.filter { $0.key.lowercased() == key }.map(\.value) == [value], "\(key)")
        }
    }

    @Test("a text that is too long is dropped, the others stay")
    func limits() throws {
        let folder = try TestFolder()
        var file = MediaFile.kind("a.flac")
        file.tags = [
            ("comment", String(repeating: "x", count: MediaTag.byteLimit + 1)), ("title", "short"),
        ]
        try file.write(Signal.sweep(frameCount: 5000), to: folder.file("a.flac"))
        let metadata = try MediaReader(folder.file("a.flac")).info.metadata
        #expect(metadata.contains { $0.key.lowercased() == "title" })
        #expect(!metadata.contains { $0.value.hasPrefix("xxx") })
    }

    @Test("streams are listed; artwork is not a stream", arguments: ["aac.m4a", "cbr.mp3", "a.wav"])
    func streams(name: String) throws {
        let folder = try TestFolder()
        var file = MediaFile.kind(name)
        if name != "a.wav" { file.picture = TagsTests.picture }
        try file.write(Signal.sweep(frameCount: 20_000), to: folder.file(name))
        let info = try MediaReader(folder.file(name)).info
        #expect(info.streams.map(\.kind) == [.audio])
        let stream = try #require(info.streams.first)
        #expect(stream.index == info.streamIndex)
        #expect(stream.trackID == 1)
        #expect(stream.audio?.channelCount == 2)
        #expect(info.bitRate > 0)
        #expect(throws: MediaError.notAudio(name: name)) {
            try MediaReader(folder.file(name), stream: 7)
        }
    }

    @Test("a length missing in the file is measured")
    func measured() throws {
        let folder = try TestFolder()
        try MediaFile.kind("aac.aac").write(Signal.sweep(frameCount: 100_000), to: folder.file("aac.aac"))
        let reader = try MediaReader(folder.file("aac.aac"))
        #expect(!reader.info.isFrameCountExact)
        let whole = try DecodedRun(path: folder.file("aac.aac")).buffer
        #expect(try reader.lastFrame() == Int64(whole.frameCount))
        try MediaFile.kind("a.flac").write(Signal.sweep(frameCount: 50_000), to: folder.file("a.flac"))
        let flac = try MediaReader(folder.file("a.flac"))
        #expect(flac.info.isFrameCountExact)
        #expect(try flac.lastFrame() == 50_000)
    }

    static let names: [(String, StoredPCM?)] = [
        ("pcm_s16le", StoredPCM(bits: 16, isFloat: false, isSigned: true, isBigEndian: false)),
        ("pcm_u8", StoredPCM(bits: 8, isFloat: false, isSigned: false, isBigEndian: false)),
        ("pcm_s24be", StoredPCM(bits: 24, isFloat: false, isSigned: true, isBigEndian: true)),
        ("pcm_f64le", StoredPCM(bits: 64, isFloat: true, isSigned: true, isBigEndian: false)),
        ("pcm_s16le_planar", nil), ("pcm_s24daud", nil), ("pcm_mulaw", nil), ("pcm_f16le", nil),
        ("pcm_s16", nil),
        ("pcm_bluray", nil), ("pcm_s64le", nil), ("pcm_", nil), ("flac", nil), ("", nil),
    ]

    @Test("uncompressed formats are named", arguments: names)
    func stored(name: String, samples: StoredPCM?) {
        #expect(StoredPCM(libraryName: name) == samples)
    }
}
