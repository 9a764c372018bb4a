import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@Suite("Tags and artwork")
struct TagsTests {
    static let tags = [
        ("title", "Übung"), ("artist", "Ensemble"), ("album", "Proben"), ("album_artist", "Various"),
        ("genre", "Jazz"),
        ("track", "3/12"), ("date", "1999-05-01"),
    ]

    @Test(
        "tags round-trip through every container that has them",
        arguments: ["a.flac", "aac.m4a", "cbr.mp3", "a.ogg", "a.opus"])
    func tags(name: String) throws {
        let folder = try TestFolder()
        var file = MediaFile.kind(name)
        file.tags = Self.tags
        try file.write(
            Signal.sweep(frameCount: 20_000, rate: WholeFilesTests.rate(name)), to: folder.file(name))
        let tags = try MediaReader(folder.file(name)).info.tags
        #expect(tags.title == "Übung")
        #expect(tags.artist == "Ensemble")
        #expect(tags.album == "Proben")
        #expect(tags.albumArtist == "Various")
        #expect(tags.genre == "Jazz")
        #expect(tags.track == 3)
        #expect(tags.year == 1999)
    }

    @Test("a file without tags has none")
    func none() throws {
        let folder = try TestFolder()
        try MediaFile.kind("a.flac").write(Signal.sweep(frameCount: 20_000), to: folder.file("a.flac"))
        let info = try MediaReader(folder.file("a.flac")).info
        #expect(info.tags == MediaTags())
        #expect(info.artwork == nil)
        #expect(info.duration == .nanoseconds(453_514_739))
    }

    /// The start and end of a JPEG; never decoded.
    static let picture: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [UInt8](repeating: 1, count: 500) + [
            0xFF, 0xD9,
        ]

    @Test(
        "artwork keeps every byte, and the audio is untouched", arguments: ["cbr.mp3", "aac.m4a"])
    func picture(name: String) throws {
        let folder = try TestFolder()
        var file = MediaFile.kind(name)
        file.picture = Self.picture
        try file.write(Signal.sweep(frameCount: 50_000), to: folder.file(name))
        let reader = try MediaReader(folder.file(name))
        #expect(reader.info.artwork?.bytes == Self.picture)
        #expect(reader.info.artwork?.mimeType == "image/jpeg")
        #expect(try DecodedRun(reader).buffer.frameCount == 50_000)
    }
}
