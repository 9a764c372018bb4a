import Testing
import TuttiCodecs
import TuttiTestMedia

@Suite("Reading pictures")
struct VideoReaderTests {
    let folder: TestFolder
    let reading = FilmReading()

    init() throws { folder = try TestFolder() }

    /// Films whose containers can seek.
    static let seekable = FilmFile.kinds.map(\.name)

    @Test("pictures after a seek are those of the whole film", arguments: seekable)
    func seeks(name: String) throws {
        let reader = try VideoReader(try FilmFile.path(name))
        let decoder = try VideoDecoder(reader.parameters, hardware: false)
        let whole = try reading.rest(reader, decoder)
        var missed = 0
        for index in [30, 59, 1, 0, 12, 13, 11, 35, 36, 48, 47, 22, 58] {
            let target = try #require(whole[index].time)
            try reader.seek(to: target)
            let rest = try reading.rest(reader, decoder)
            // No picture is damaged, and none is missing.
            #expect(rest.map(\.number) == whole.suffix(rest.count).map(\.number), "from \(index)")
            // The beginning is always found.
            if index == 0 { #expect(rest.count == 60) }
            if rest.count < 60 - index { missed += 1 }
        }
        // Pictures before an open key picture, and containers without an index, need an earlier seek.
        let isIndexed = !["ts", "mpg", "flv", "ogv"].contains(name.suffix(3).filter { $0 != "." })
        #expect(missed <= (isIndexed ? 5 : 12))
    }

    @Test("a seek beyond the film's ends reads the first or the last pictures", arguments: seekable)
    func beyond(name: String) throws {
        let reader = try VideoReader(try FilmFile.path(name))
        let decoder = try VideoDecoder(reader.parameters, hardware: false)
        for place in [Int64.min / 4, -1_000_000, -1] {
            try reader.seek(to: place)
            #expect(try reading.rest(reader, decoder).first?.number == 0)
        }
        for place in [1 << 40, Int64.max / 4] {
            // Some containers refuse to seek there.
            guard (try? reader.seek(to: place)) != nil else { continue }
            let rest = try reading.rest(reader, decoder)
            #expect(rest.map(\.number) == (60 - rest.count..<60).map { $0 })
        }
    }

    @Test("the end is final until a seek")
    func end() throws {
        let path = try FilmFile.path("open.mp4")
        let reader = try VideoReader(path)
        while try reader.nextPacket() != nil {}
        #expect(try reader.nextPacket() == nil)
        try reader.seek(to: 0)
        #expect(try reader.nextPacket()?.isKey == true)
    }

    @Test("sound without pictures has no pictures, even with a cover")
    func withoutPictures() throws {
        var music = MediaFile.kind("aac.m4a")
        music.picture = [UInt8](repeating: 0, count: 100)
        try music.write(Signal.sweep(frameCount: 20_000), to: folder.file("a.m4a"))
        #expect(throws: MediaError.noPictures(name: "a.m4a")) { try VideoReader(folder.file("a.m4a")) }
        #expect(MediaError.noPictures(name: "a.m4a").description == "a.m4a has no pictures")
    }

    @Test("another stream than one of pictures is not read as pictures")
    func otherStreams() throws {
        let path = try FilmFile.path("closed.mp4")
        #expect(try VideoReader(path, stream: 0).streamIndex == 0)
        for stream in [1, 2, -1, .max] {
            #expect(throws: MediaError.noPictures(name: "closed.mp4")) {
                try VideoReader(path, stream: stream)
            }
        }
    }

    @Test("each cause has its own error")
    func causes() throws {
        _ = try folder.write([], to: "empty.mp4")
        _ = try folder.write([UInt8](repeating: 7, count: 10_000), to: "noise.mp4")
        #expect(throws: MediaError.notFound(name: "missing.mp4")) {
            try VideoReader(folder.file("missing.mp4"))
        }
        #expect(throws: MediaError.empty(name: "empty.mp4")) { try VideoReader(folder.file("empty.mp4")) }
        #expect(throws: MediaError.self) { try VideoReader(folder.file("noise.mp4")) }
        let interrupt = MediaInterrupt()
        interrupt.cancel()
        let path = try FilmFile.path("open.mp4")
        #expect(throws: MediaError.cancelled) { try VideoReader(path, interrupt: interrupt) }
    }

    @Test("a cancelled reader reads no further")
    func cancelled() throws {
        let path = try FilmFile.path("open.mp4")
        let interrupt = MediaInterrupt()
        let reader = try VideoReader(path, interrupt: interrupt)
        #expect(try reader.nextPacket() != nil)
        interrupt.cancel()
        #expect(throws: MediaError.cancelled) { while try reader.nextPacket() != nil {} }
        #expect(throws: MediaError.cancelled) { try reader.seek(to: 0) }
    }

    // MARK: Texts

    @Test("texts in the file are read along with the pictures")
    func texts() throws {
        var film = FilmFile.h264(isOpen: false)
        film.texts = [(0, "Good morning"), (1, "<i>Two</i>\nlines"), (2, "The end")]
        film.pictureCount = 80
        try film.write(to: folder.file("a.mkv"))
        let info = try MediaReader(
            folder.file("a.mkv"), readsArtwork: false, acceptsSilence: true, engine: .shared
        ).info
        let stream = try #require(info.streams.first { $0.kind == .subtitle })
        #expect(stream.isText && stream.video == nil)
        let reader = try VideoReader(folder.file("a.mkv"))
        #expect(reader.subtitleHeader.isEmpty)
        #expect(reader.selectSubtitles(stream.index))
        #expect(reader.subtitleHeader.contains("[Script Info]"))
        while try reader.nextPacket() != nil {}
        let cues = reader.takeSubtitles()
        #expect(cues.map(\.text) == ["Good morning", "Two\nlines", "The end"])
        #expect(cues.map(\.start) == [0, 1000, 2000])
        #expect(cues.map(\.end) == [1000, 2000, 3000])
        #expect(reader.takeSubtitles().isEmpty)
        // From a later place, without the earlier texts.
        try reader.seek(to: 1900)
        while try reader.nextPacket() != nil {}
        #expect(reader.takeSubtitles().map(\.text).contains("The end"))
        #expect(reader.selectSubtitles(nil))
        try reader.seek(to: 0)
        while try reader.nextPacket() != nil {}
        #expect(reader.takeSubtitles().isEmpty)
        #expect(!reader.selectSubtitles(0))
    }

    // MARK: Orientation

    static let turns: [(PictureOrientation, [Int32])] = [
        (.upright, FilmFile.rotation(1, 0, 0, 1)), (.upMirrored, FilmFile.rotation(-1, 0, 0, 1)),
        (.down, FilmFile.rotation(-1, 0, 0, -1)), (.downMirrored, FilmFile.rotation(1, 0, 0, -1)),
        (.leftMirrored, FilmFile.rotation(0, 1, 1, 0)), (.right, FilmFile.rotation(0, 1, -1, 0)),
        (.rightMirrored, FilmFile.rotation(0, -1, -1, 0)), (.left, FilmFile.rotation(0, -1, 1, 0)),
        // Slightly tilted, and scaled.
        (.right, [100, 60_000, 0, -65_536, -100, 0, 0, 0, 1 << 30]),
        (.upright, [3 << 16, 0, 0, 0, 3 << 16, 0, 0, 0, 1 << 30]), (.upright, []),
        // Numbers that mean nothing.
        (.upright, [0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ]

    @Test("display matrices become the nearest of eight orientations", arguments: turns)
    func orientation(expected: PictureOrientation, matrix: [Int32]) throws {
        var film = FilmFile.h264(isOpen: false)
        (film.pictureCount, film.displayMatrix) = (2, matrix)
        try film.write(to: folder.file("a.mp4"))
        let orientation = try VideoReader(folder.file("a.mp4")).parameters.orientation
        #expect(orientation == expected)
        #expect(orientation.swapsSides == [.leftMirrored, .right, .rightMirrored, .left].contains(expected))
    }
}
