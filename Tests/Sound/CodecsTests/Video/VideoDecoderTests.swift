import Testing
import TuttiCodecs
import TuttiTestMedia

@Suite("Decoding pictures")
struct VideoDecoderTests {
    let folder: TestFolder
    let reading = FilmReading()

    init() throws { folder = try TestFolder() }

    private func open(_ name: String, _ film: FilmFile? = nil) throws -> (VideoReader, VideoDecoder) {
        try film?.write(to: folder.file(name))
        let reader = try VideoReader(try film == nil ? FilmFile.path(name) : folder.file(name))
        return (reader, try VideoDecoder(reader.parameters, hardware: false))
    }

    @Test("every codec decodes to all pictures in order", arguments: FilmFile.kinds.map(\.name))
    func wholeFilms(name: String) throws {
        let film = FilmFile.kind(name)
        let (reader, decoder) = try open(name)
        #expect(reader.parameters.width == film.width)
        #expect(reader.parameters.height == film.height)
        #expect(reader.isSeekable)
        let pictures = try reading.rest(reader, decoder)
        #expect(pictures.map(\.number) == (0..<film.pictureCount).map { $0 })
        #expect(decoder.corruptPacketCount == 0)
        let times = try pictures.map { try #require($0.time) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        // The last picture begins one picture before the end.
        let unit = Double(reader.unitNumerator) / Double(reader.unitDenominator)
        let length = Double((times.last ?? 0) - (times.first ?? 0)) * unit
        #expect(abs(length - Double(film.pictureCount - 1) / 25) < 0.002)
        // FFmpeg's estimate for Ogg counts the pages.
        if name != "theora.ogv" { #expect(abs(reader.parameters.pictureRate - 25) < 0.5) }
        #expect(times.first == reader.startTime)
    }

    @Test(
        "the number of threads does not change the pictures",
        arguments: ["open.mp4", "hevc.ts", "vp9.webm", "mpeg2.ts"])
    func threads(name: String) throws {
        var outcomes: [[SeenPicture]] = []
        for count in [1, 2, 8] {
            let reader = try open(name).0
            outcomes.append(
                try reading.rest(reader, try VideoDecoder(reader.parameters, threads: count, hardware: false))
            )
        }
        #expect(outcomes[0].count == 60)
        #expect(outcomes[1] == outcomes[0] && outcomes[2] == outcomes[0])
    }

    @Test(
        "a decoder that delays no pictures returns the same pictures",
        arguments: ["open.mp4", "hevc.mp4", "av1.mkv"])
    func withoutDelay(name: String) throws {
        let (reader, _) = try open(name)
        let decoder = try VideoDecoder(reader.parameters, hardware: false, delaysPictures: false)
        #expect(try reading.rest(reader, decoder).map(\.number) == (0..<60).map { $0 })
    }

    @Test(
        "a drained or reset decoder decodes the film again from its start",
        arguments: ["open.mp4", "vp9.webm", "mpeg4.avi"])
    func again(name: String) throws {
        let (reader, decoder) = try open(name)
        let whole = try reading.rest(reader, decoder)
        try reader.seek(to: reader.startTime)
        #expect(try reading.rest(reader, decoder) == whole)
        try reader.seek(to: reader.startTime)
        for _ in 0..<20 { _ = decoder.decode(try #require(try reader.nextPacket())) }
        decoder.reset()
        try reader.seek(to: reader.startTime)
        #expect(try reading.rest(reader, decoder) == whole)
        #expect(decoder.corruptPacketCount == 0)
    }

    @Test("nothing is left out but what is allowed to be")
    func skipping() throws {
        let (reader, decoder) = try open("closed.mp4")
        decoder.skipping = .allButKeys
        #expect(try reading.rest(reader, decoder).map(\.number) == [0, 12, 24, 36, 48])
        try reader.seek(to: reader.startTime)
        decoder.skipping = .disposable
        let numbers = try reading.rest(reader, decoder).map(\.number)
        // Half of the pictures between references are references themselves.
        #expect(numbers.count < 60 && numbers.count > 12)
        #expect(Set(numbers).isSuperset(of: [0, 12, 24, 36, 48]))
        #expect(!numbers.contains(nil))
        try reader.seek(to: reader.startTime)
        decoder.skipping = .nothing
        #expect(try reading.rest(reader, decoder).count == 60)
    }

    @Test("pictures of packets without a file carry the caller's times")
    func loosePackets() throws {
        let (reader, _) = try open("open.mp4")
        let parameters = try #require(
            VideoStreamParameters(
                codecName: "h264", width: 160, height: 96, configuration: reader.parameters.configuration))
        let decoder = try VideoDecoder(parameters, hardware: false)
        var pictures: [SeenPicture] = []
        while let packet = try reader.nextPacket() {
            let token = try #require(packet.presentationTime) * 3 + 7
            let copy = try #require(
                packet.withBytes { VideoPacket($0, presentationTime: token, isKey: packet.isKey) })
            for frame in decoder.decode(copy) {
                pictures.append(SeenPicture(number: try reading.number(of: frame), time: frame.packetTime))
            }
        }
        for frame in decoder.drain() {
            pictures.append(SeenPicture(number: try reading.number(of: frame), time: frame.packetTime))
        }
        let step = Int64(reader.unitDenominator) / Int64(reader.unitNumerator) / 25
        #expect(pictures == (0..<60).map { SeenPicture(number: $0, time: Int64($0) * step * 3 + 7) })
    }

    // MARK: Properties

    @Test("colours of the file reach the pictures", arguments: ["ffv1", "libx264", "libvpx-vp9"])
    func colors(codec: String) throws {
        var film = FilmFile(codec, options: codec == "libx264" ? [("preset", "ultrafast")] : [])
        film.pictureCount = 2
        film.color = FilmFile.Color(matrix: 9, primaries: 9, transfer: 16, isFullRange: true)
        let (reader, decoder) = try open("a.mkv", film)
        let expected = VideoColor(matrix: .bt2020, isFullRange: true, primaries: 9, transfer: 16)
        #expect(reader.parameters.color == expected)
        #expect(
            reader.parameters.statedColor
                == StatedColor(matrix: 9, primaries: 9, transfer: 16, isFullRange: true))
        let packet = try #require(try reader.nextPacket())
        let frame = try #require((decoder.decode(packet) + decoder.drain()).first)
        #expect(frame.color == expected)
    }

    @Test(
        "colours that the file does not state are those of televisions",
        arguments: [(160, 96, VideoColor.Matrix.bt601), (1280, 720, .bt709), (720, 576, .bt601)])
    func unstatedColors(width: Int, height: Int, matrix: VideoColor.Matrix) throws {
        var film = FilmFile("ffv1")
        (film.pictureCount, film.width, film.height) = (1, width, height)
        let (reader, _) = try open("a.mkv", film)
        #expect(reader.parameters.color.matrix == matrix)
        #expect(!reader.parameters.color.isFullRange)
        #expect(reader.parameters.statedColor.matrix == 2)
    }

    @Test("the shape of a pixel reaches the pictures", arguments: ["a.mp4", "a.mkv", "a.ts"])
    func aspect(name: String) throws {
        var film = FilmFile.h264(isOpen: false)
        (film.pictureCount, film.aspect) = (30, (4, 3))
        let (reader, decoder) = try open(name, film)
        #expect(reader.parameters.pixelAspect == PixelAspect(width: 4, height: 3))
        let packet = try #require(try reader.nextPacket())
        let frame = try #require((decoder.decode(packet) + decoder.drain()).first)
        #expect(frame.pixelAspect == PixelAspect(width: 4, height: 3))
    }

    @Test("the container's shape of a pixel takes precedence over the codec's")
    func containerAspect() throws {
        // FFV1 does not store the shape; the track of the container does.
        var film = FilmFile("ffv1")
        (film.pictureCount, film.aspect) = (1, (2, 1))
        let (reader, decoder) = try open("a.mkv", film)
        let packet = try #require(try reader.nextPacket())
        let frame = try #require((decoder.decode(packet) + decoder.drain()).first)
        #expect(frame.pixelAspect == PixelAspect(width: 2, height: 1))
    }

    static let shapes: [(Int32, Int32, PixelAspect)] = [
        (4, 3, PixelAspect(width: 4, height: 3)), (0, 1, PixelAspect()), (1, 0, PixelAspect()),
        (-4, 3, PixelAspect()), (33, 1, PixelAspect()), (1, 33, PixelAspect()),
        (32, 1, PixelAspect(width: 32, height: 1)),
        (.max, .max, PixelAspect(width: .max, height: .max)),
    ]

    @Test("implausible shapes of a pixel are square", arguments: shapes)
    func implausibleShapes(width: Int32, height: Int32, expected: PixelAspect) {
        #expect(PixelAspect(width: width, height: height) == expected)
    }
}
