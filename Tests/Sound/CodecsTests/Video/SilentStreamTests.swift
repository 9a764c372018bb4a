import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiTestMedia

@Suite("Films without sound")
struct SilentStreamTests {
    private func open(_ name: String, acceptsSilence: Bool = true) throws(MediaError) -> MediaReader {
        guard let path = try? FilmFile.path(name) else { throw .notFound(name: name) }
        return try MediaReader(
            path, readsArtwork: false, acceptsSilence: acceptsSilence, engine: .shared)
    }

    /// Films without sound and their length in frames of 48,000 Hz.
    static let films = [
        ("open.mp4", 115_200), ("hevc.ts", 115_200), ("vp8.webm", 115_200), ("mpeg4.avi", 115_200),
        ("prores.mov", 115_200),
        ("ten.mkv", 115_200),
    ]

    @Test("a film without sound reads as silence of its length", arguments: films)
    func silence(name: String, frameCount: Int) throws {
        let reader = try open(name)
        #expect(reader.info.isSilent)
        #expect(reader.info.channelCount == 2)
        #expect(reader.info.sampleRate.hertz == 48_000)
        #expect(reader.info.isFrameCountExact)
        let promised = try #require(reader.info.frameCount)
        // Some containers give the length in milliseconds.
        #expect(abs(promised - Int64(frameCount)) <= 96)
        var frames: Int64 = 0
        while let packet = try reader.nextPacket() {
            #expect(packet.timestamp == frames)
            #expect(packet.payload.allSatisfy { $0 == 0 } && packet.payload.count == packet.duration * 4)
            frames += Int64(packet.duration)
        }
        #expect(frames == promised)
        #expect(try reader.lastFrame() == promised)
        #expect(reader.warnings.isEmpty)
        #expect(try DecodedRun(try open(name)).buffer.frameCount == Int(promised))
    }

    @Test(
        "silence lasts as long as the pictures that edit lists leave",
        .enabled(if: FilmFile.tellsTrimmedEnd, "FFmpeg does not tell the end"),
        arguments: [(800, 1600), (0, 1600), (800, 2400)])
    func trimmed(start: Int, end: Int) throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        try FilmFile.h264(isOpen: false).write(to: folder.file("a.mp4"))
        try FilmFile.trim(folder.file("a.mp4"), from: start, to: end)
        let reader = try MediaReader(
            folder.file("a.mp4"), readsArtwork: false, acceptsSilence: true, engine: .shared)
        #expect(reader.info.zeroTime == 0)
        #expect(reader.info.frameCount == Int64(end - start) * 48)
        #expect(reader.info.pictureEnd == reader.info.frameCount)
    }

    @Test("a seek in silence continues at its frame")
    func seek() throws {
        let reader = try open("open.mp4")
        for place in [0, 100_000, 5, 115_199] {
            try reader.seek(toFrame: Int64(place))
            let packet = try #require(try reader.nextPacket())
            #expect(packet.timestamp == Int64(place))
        }
        for place in [Int64(115_200), 1 << 40, .max] {
            try reader.seek(toFrame: place)
            #expect(try reader.nextPacket() == nil)
        }
        try reader.seek(toFrame: -1)
        #expect(try reader.nextPacket()?.timestamp == 0)
    }

    @Test("silence is not read unless the caller accepts it")
    func refused() {
        #expect(throws: MediaError.notAudio(name: "open.mp4")) { try open("open.mp4", acceptsSilence: false) }
    }

    @Test("a film with sound is not silent, and gives the time of its first frame")
    func sound() throws {
        for name in ["closed.mp4", "open.mkv", "open.ts", "vp9.webm"] {
            let reader = try open(name)
            #expect(!reader.info.isSilent)
            let film = try VideoReader(try FilmFile.path(name))
            let start = Double(film.startTime) * Double(film.unitNumerator) / Double(film.unitDenominator)
            let zero = Double(reader.info.zeroTime) / Double(reader.info.sampleRate.hertz)
            // The sound begins with the pictures, but for its encoder's delay and the order of decoding.
            #expect(abs(start - zero) < 0.15, "\(name): \(start) and \(zero)")
        }
    }

    @Test("pictures of a silent film begin at time 0")
    func zeroTime() throws {
        let reader = try open("hevc.ts")
        let film = try VideoReader(try FilmFile.path("hevc.ts"))
        #expect(film.startTime > 0)
        #expect(reader.info.zeroTime == film.startTime * 48_000 / Int64(film.unitDenominator))
    }
}
