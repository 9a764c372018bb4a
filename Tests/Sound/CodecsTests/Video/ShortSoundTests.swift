import Foundation
import Testing
import TuttiCodecs
import TuttiTestMedia

@Suite("Films whose sound is shorter than their pictures")
struct ShortSoundTests {
    /// The pictures' 2.4 s in frames of 48,000 Hz.
    private static let pictures: Int64 = 115_200

    private func write(
        _ name: String, codec: String = "aac", sound: Double? = 1
    ) throws -> (TestFolder, String) {
        let folder = try TestFolder()
        var film = FilmFile.h264(isOpen: false)
        (film.soundCodec, film.soundSeconds) = (codec, sound)
        try film.write(to: folder.file(name))
        return (folder, folder.file(name))
    }

    @Test(
        "the reader tells where the pictures end, and that the sound did not break off",
        arguments: [
            // The inaudible start of Opus lies before time 0.
            ("film.mp4", "aac"), ("film.mkv", "aac"), ("film.mkv", "libopus"), ("film.avi", "aac"),
        ])
    func ends(name: String, codec: String) throws {
        let (folder, path) = try write(name, codec: codec)
        defer { withExtendedLifetime(folder) {} }
        let reader = try MediaReader(path, readsArtwork: false)
        let end = try #require(reader.info.pictureEnd)
        let film = try #require(reader.info.streams.first { $0.video != nil }?.start)
        let start = film.value * 48_000 / Int64(film.timescale) - reader.info.zeroTime
        // Containers round to their units.
        #expect(abs(end - start - Self.pictures) <= 128)
        #expect(try #require(reader.info.wholeFrameCount) == end)
        let sound = try reader.lastFrame()
        #expect(abs(sound - 48_000) <= 2048)
        #expect(reader.isComplete && reader.warnings.isEmpty)
        try reader.seek(toFrame: 24_000)
        #expect(!reader.isComplete)
        try reader.seek(toFrame: 90_000)
        #expect(try reader.nextPacket().map { $0.skipAtStart >= $0.duration } ?? true)
        while try reader.nextPacket() != nil {}
        #expect(reader.isComplete)
    }

    @Test("a film that breaks off is not complete")
    func brokenOff() throws {
        let (folder, path) = try write("film.mkv", sound: nil)
        defer { withExtendedLifetime(folder) {} }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
        let reader = try MediaReader(path, readsArtwork: false)
        _ = try reader.lastFrame()
        #expect(!reader.isComplete && !reader.warnings.isEmpty)
    }

    @Test("a transport stream declares no lengths: its film ends with the sound")
    func transportStream() throws {
        let (folder, path) = try write("film.ts")
        defer { withExtendedLifetime(folder) {} }
        let info = try MediaReader(path, readsArtwork: false).info
        #expect(info.pictureEnd == nil && info.wholeFrameCount == info.frameCount)
    }

    @Test("pictures end with the container, whatever their own tag says")
    func damaged() throws {
        let (folder, path) = try write("film.mkv")
        defer { withExtendedLifetime(folder) {} }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let time = Data("00:00:02.4".utf8)
        let place = try #require(bytes.range(of: time))
        bytes.replaceSubrange(place, with: Data("99:00:02.4".utf8))
        try bytes.write(to: URL(fileURLWithPath: path))
        let end = try #require(try MediaReader(path, readsArtwork: false).info.pictureEnd)
        // The encoder's delay moves the pictures.
        #expect(abs(end - Self.pictures) <= 1100)
    }
}
