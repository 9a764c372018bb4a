import CoreMedia
import Testing
import TuttiCodecs
import TuttiTestMedia

@testable import Playback

@Suite("Silence after a film's sound")
struct SilentTailTests {
    private func source(
        from frame: Int64, sound: Double? = 1, name: String = "film.mp4"
    ) throws -> (TestFolder, ItemSource) {
        let folder = try TestFolder()
        var film = FilmFile.h264(isOpen: false)
        (film.soundCodec, film.soundSeconds) = ("aac", sound)
        try film.write(to: folder.file(name))
        let reader = try MediaReader(folder.file(name), readsArtwork: false)
        let source = try ItemSource(
            reader, from: frame, isAnew: false, seconds: 0.5, FeedSelection(),
            openNext: { (name) throws(MediaError) in throw .notFound(name: name) })
        return (folder, source)
    }

    private func heard(_ source: ItemSource) throws -> (start: CMTime, end: CMTime, holes: Int) {
        var (start, end, holes) = (CMTime.invalid, CMTime.invalid, 0)
        while let buffer = try source.nextBuffer() {
            let time = buffer.outputPresentationTimeStamp
            if !start.isNumeric { start = time } else if time != end { holes += 1 }
            end = time + buffer.outputDuration
        }
        return (start, end, holes)
    }

    @Test("sound and silence together last as long as the pictures", arguments: ["film.mp4", "film.mkv"])
    func whole(name: String) throws {
        let (folder, source) = try source(from: 0, name: name)
        defer { withExtendedLifetime(folder) {} }
        let found = try heard(source)
        #expect(found.start == .zero && found.holes == 0)
        // In Matroska the encoder's delay moves the pictures.
        #expect(abs(found.end.seconds - 2.4) < (name == "film.mkv" ? 0.024 : 0.003))
        #expect(source.end == found.end)
        #expect(ItemFacts(info: source.info, isRemote: false).duration == found.end)
    }

    @Test("a place behind the sound begins in silence")
    func seek() throws {
        let (folder, source) = try source(from: 72_000)
        defer { withExtendedLifetime(folder) {} }
        let found = try heard(source)
        #expect(found.start == CMTime(value: 72_000, timescale: 48_000) && found.holes == 0)
        #expect(abs(found.end.seconds - 2.4) < 0.003)
    }

    @Test("no silence follows sound that is as long as the pictures, or longer")
    func none() throws {
        let (folder, source) = try source(from: 0, sound: nil)
        defer { withExtendedLifetime(folder) {} }
        var formats: Set<AudioFormatID> = []
        while let buffer = try source.nextBuffer() {
            if let id = buffer.formatDescription?.audioStreamBasicDescription?.mFormatID {
                formats.insert(id)
            }
        }
        #expect(abs(source.end.seconds - 2.4) < 0.05)
        #expect(formats.isSubset(of: [kAudioFormatMPEG4AAC, kAudioFormatLinearPCM]))
        #expect(SilentTail(from: CMTime(value: 5, timescale: 1), to: 240_000, sampleRate: .hz48000) == nil)
    }

    @Test("the tail comes in seconds and ends exactly")
    func pieces() throws {
        var tail = try #require(
            SilentTail(from: CMTime(value: 1, timescale: 1), to: 120_001, sampleRate: .hz48000))
        var counts: [Int] = []
        while let buffer = tail.nextBuffer() { counts.append(buffer.numSamples) }
        #expect(counts == [48_000, 24_001])
        #expect(tail.end == CMTime(value: 120_001, timescale: 48_000))
    }
}
