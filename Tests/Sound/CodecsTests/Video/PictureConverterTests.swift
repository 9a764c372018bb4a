import Testing
import TuttiCodecs
import TuttiTestMedia

@Suite("Converting pictures")
struct PictureConverterTests {
    let folder: TestFolder
    let converter = PictureConverter()

    init() throws { folder = try TestFolder() }

    /// The weights of red and blue in the luma of each matrix, by its code point.
    private static let weights: [UInt32: (red: Double, blue: Double)] = [
        1: (0.2126, 0.0722), 6: (0.299, 0.114), 9: (0.2627, 0.0593),
    ]

    /// Red, green and blue, 0…255, of samples of 8 bits.
    private static func reference(_ samples: [Int], matrix: UInt32, isFullRange: Bool) throws -> [Double] {
        let weights = try #require(Self.weights[matrix])
        let luma = isFullRange ? Double(samples[0]) / 255 : (Double(samples[0]) - 16) / 219
        let differences = samples[1...].map { (Double($0) - 128) / (isFullRange ? 255 : 224) }
        let red = luma + 2 * (1 - weights.red) * differences[1]
        let blue = luma + 2 * (1 - weights.blue) * differences[0]
        let green = (luma - weights.red * red - weights.blue * blue) / (1 - weights.red - weights.blue)
        return [red, green, blue].map { min(1, max(0, $0)) * 255 }
    }

    private static let samples: [[Int]] = {
        var samples: [[Int]] = []
        for luma in [16, 60, 128, 180, 235] {
            for (blue, red) in [
                (128, 128), (90, 150), (160, 100), (110, 240), (240, 110), (54, 54), (16, 128), (128, 16),
            ] {
                samples.append([luma, blue, red])
            }
        }
        return samples
    }()

    private func pictures(_ film: FilmFile) throws -> [VideoFrame] {
        try film.write(to: folder.file("a.mkv"))
        let reader = try VideoReader(folder.file("a.mkv"))
        let decoder = try VideoDecoder(reader.parameters, hardware: false)
        var pictures: [VideoFrame] = []
        while let packet = try reader.nextPacket() { pictures += decoder.decode(packet) }
        return pictures + decoder.drain()
    }

    /// Converts a picture; returns the bytes of each plane without padding.
    private func convert(
        _ picture: VideoFrame, to layout: PictureLayout, width: Int? = nil, height: Int? = nil,
        sizes: [(Int, Int)]
    ) throws -> [[UInt8]] {
        let steps = sizes.map { ($0.0 + 63) / 64 * 64 }
        let memory = zip(sizes, steps).map {
            UnsafeMutableRawBufferPointer.allocate(byteCount: $0.1 * $1 + 64, alignment: 64)
        }
        defer { for plane in memory { plane.deallocate() } }
        let planes = try zip(memory, zip(sizes, steps)).map { memory, size in
            memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
            return PicturePlane(
                address: try #require(memory.baseAddress), width: size.0.0, height: size.0.1,
                bytesPerRow: size.1)
        }
        try converter.convert(
            picture, to: layout, width: width ?? picture.width, height: height ?? picture.height, into: planes
        )
        return zip(memory, zip(sizes, steps)).map { memory, size in
            (0..<size.0.1).flatMap { row in Array(memory[row * size.1..<row * size.1 + size.0.0]) }
        }
    }

    static let matrices: [(matrix: UInt32, isFullRange: Bool, format: String)] = {
        var colors: [(UInt32, Bool, String)] = []
        for matrix: UInt32 in [1, 6, 9] {
            for isFullRange in [false, true] {
                for format in ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv444p12le"] {
                    colors.append((matrix, isFullRange, format))
                }
            }
        }
        return colors
    }()

    @Test("red, green and blue are within 2 of 255 of the equations", arguments: matrices)
    func colors(matrix: UInt32, isFullRange: Bool, format: String) throws {
        var film = FilmFile("ffv1")
        (film.width, film.height, film.pixelFormat) = (36, 18, format)
        film.color = FilmFile.Color(matrix: matrix, primaries: 1, transfer: 1, isFullRange: isFullRange)
        let shift = format.contains("10") ? 2 : format.contains("12") ? 4 : 0
        film.samples = Self.samples.map { FilmFile.Samples($0[0] << shift, $0[1] << shift, $0[2] << shift) }
        film.pictureCount = film.samples.count
        let pictures = try pictures(film)
        #expect(pictures.count == Self.samples.count)
        for (picture, samples) in zip(pictures, Self.samples) {
            let expected = try Self.reference(samples, matrix: matrix, isFullRange: isFullRange)
            let bytes = try convert(picture, to: .bgra, sizes: [(36 * 4, 18)])[0]
            for pixel in 0..<36 * 18 {
                let found = bytes[pixel * 4..<pixel * 4 + 4].map { Double($0) }
                let distance = zip([found[2], found[1], found[0]], expected).map { abs($0 - $1) }.max() ?? 0
                guard distance <= 2, found[3] == 255 else {
                    Issue.record("\(samples) pixel \(pixel): \(found) instead of \(expected)")
                    return
                }
            }
        }
    }

    @Test("the order of red, green and blue is that of the layout")
    func orders() throws {
        var film = FilmFile("ffv1")
        (film.width, film.height, film.pixelFormat, film.pictureCount) = (16, 16, "yuv444p", 1)
        film.color = FilmFile.Color(matrix: 6, primaries: 1, transfer: 1, isFullRange: true)
        film.samples = [FilmFile.Samples(100, 60, 200)]
        let picture = try #require(try pictures(film).first)
        let color = try Self.reference([100, 60, 200], matrix: 6, isFullRange: true)
        let layouts: [(PictureLayout, [Int?])] = [
            (.bgra, [2, 1, 0, nil]), (.rgba, [0, 1, 2, nil]), (.argb, [nil, 0, 1, 2]),
            (.abgr, [nil, 2, 1, 0]),
            (.rgb24, [0, 1, 2]), (.bgr24, [2, 1, 0]),
        ]
        for (layout, order) in layouts {
            let bytes = try convert(picture, to: layout, sizes: [(16 * order.count, 16)])[0]
            for (byte, component) in zip(bytes, order) {
                #expect(abs(Double(byte) - (component.map { color[$0] } ?? 255)) <= 2, "\(layout)")
            }
        }
    }

    static let lumaLayouts: [(PictureLayout, [(Int, Int)])] = [
        (.planar420(isFullRange: false), [(32, 16), (16, 8), (16, 8)]),
        (.biplanar420(isFullRange: false), [(32, 16), (32, 8)]),
        (.biplanar422(isFullRange: false), [(32, 16), (32, 16)]),
        (.biplanar444(isFullRange: false), [(32, 16), (64, 16)]),
        (.packed422, [(64, 16)]), (.packed422YFirst, [(64, 16)]),
        (.tenBit420(isFullRange: false), [(64, 16), (64, 8)]),
    ]

    @Test("luma and differences stay as they are in every layout", arguments: lumaLayouts)
    func unchangedSamples(layout: PictureLayout, sizes: [(Int, Int)]) throws {
        var film = FilmFile("ffv1")
        (film.width, film.height, film.pixelFormat, film.pictureCount) = (32, 16, "yuv422p", 1)
        film.samples = [FilmFile.Samples(150, 90, 200)]
        let picture = try #require(try pictures(film).first)
        let planes = try convert(picture, to: layout, sizes: sizes)
        func check(_ bytes: [UInt8], _ pattern: [Int]) {
            for (index, byte) in bytes.enumerated() {
                guard abs(Int(byte) - pattern[index % pattern.count]) <= 1 else {
                    Issue.record("\(layout): \(byte) at \(index), not \(pattern)")
                    return
                }
            }
        }
        switch layout {
        case .planar420:
            check(planes[0], [150])
            check(planes[1], [90])
            check(planes[2], [200])
        case .packed422: check(planes[0], [90, 150, 200, 150])
        case .packed422YFirst: check(planes[0], [150, 90, 150, 200])
        case .tenBit420:
            let words = planes.map { plane in
                stride(from: 0, to: plane.count, by: 2).map { Int(plane[$0]) | Int(plane[$0 + 1]) << 8 }
            }
            #expect(words[0].allSatisfy { abs($0 - 150 << 8) <= 256 && $0 & 63 == 0 })
            #expect(
                stride(from: 0, to: words[1].count, by: 2).allSatisfy { abs(words[1][$0] - 90 << 8) <= 256 })
        default:
            check(planes[0], [150])
            check(planes[1], [90, 200])
        }
    }

    @Test(
        "pure red becomes luma and differences by the usual matrix of its height",
        arguments: [(576, [81, 90, 240]), (1080, [63, 102, 240])])
    func red(height: Int, expected: [Int]) throws {
        var film = FilmFile("png")
        (film.width, film.height, film.pixelFormat, film.pictureCount) = (32, height, "rgb24", 1)
        film.samples = [FilmFile.Samples(255, 0, 0)]
        try film.write(to: folder.file("a.mov"))
        let reader = try VideoReader(folder.file("a.mov"))
        let decoder = try VideoDecoder(reader.parameters, hardware: false)
        let packet = try #require(try reader.nextPacket())
        let picture = try #require((decoder.decode(packet) + decoder.drain()).first)
        let planes = try convert(
            picture, to: .planar420(isFullRange: false),
            sizes: [(32, height), (16, height / 2), (16, height / 2)])
        for (plane, value) in zip(planes, expected) {
            #expect(plane.allSatisfy { abs(Int($0) - value) <= 2 }, "\(plane[0]) instead of \(value)")
        }
    }

    @Test("the range becomes that of the layout")
    func ranges() throws {
        for isFull in [false, true] {
            var film = FilmFile("ffv1")
            (film.width, film.height, film.pictureCount) = (32, 16, 2)
            film.color = FilmFile.Color(matrix: 1, primaries: 1, transfer: 1, isFullRange: isFull)
            let (black, white) = isFull ? (0, 255) : (16, 235)
            film.samples = [FilmFile.Samples(black, 128, 128), FilmFile.Samples(white, 128, 128)]
            let pictures = try pictures(film)
            for (index, picture) in pictures.enumerated() {
                let full = try convert(picture, to: .gray(isFullRange: true), sizes: [(32, 16)])[0]
                #expect(full.allSatisfy { abs(Int($0) - [0, 255][index]) <= 1 }, "\(isFull)")
                let limited = try convert(
                    picture, to: .biplanar420(isFullRange: false), sizes: [(32, 16), (32, 8)])
                #expect(limited[0].allSatisfy { abs(Int($0) - [16, 235][index]) <= 1 }, "\(isFull)")
                #expect(limited[1].allSatisfy { abs(Int($0) - 128) <= 1 }, "\(isFull)")
            }
        }
    }

    @Test(
        "a scaled picture keeps its contents", arguments: [(80, 48), (320, 192), (33, 21), (1, 1), (161, 95)])
    func scaled(width: Int, height: Int) throws {
        let reader = try VideoReader(try FilmFile.path("ffv1.mkv"))
        let decoder = try VideoDecoder(reader.parameters, hardware: false)
        let packet = try #require(try reader.nextPacket())
        let picture = try #require((decoder.decode(packet) + decoder.drain()).first)
        let bytes = try convert(
            picture, to: .bgra, width: width, height: height, sizes: [(width * 4, height)])[0]
        #expect(bytes.count == width * height * 4)
        guard width > 20 else { return }
        let number = FilmPattern.number { x, y in
            Double(bytes[(Int(y * Double(height)) * width + Int(x * Double(width))) * 4 + 1]) / 255
        }
        #expect(number == 0)
    }

    @Test("impossible sizes and planes are refused")
    func refusals() throws {
        let reader = try VideoReader(try FilmFile.path("ffv1.mkv"))
        let decoder = try VideoDecoder(reader.parameters, hardware: false)
        let packet = try #require(try reader.nextPacket())
        let picture = try #require((decoder.decode(packet) + decoder.drain()).first)
        for (width, height) in [(0, 96), (160, -1), (.max, .max), (16_385, 10), (16_384, 16_384)] {
            #expect(throws: CodecError.self) {
                try converter.convert(picture, to: .bgra, width: width, height: height, into: [])
            }
        }
        #expect(throws: CodecError.self) {
            try converter.convert(
                picture, to: .biplanar420(isFullRange: false), width: 160, height: 96, into: [])
        }
    }

    @Test("screens get layouts that they know")
    func shown() throws {
        func layout(_ name: String) throws -> PictureLayout {
            let reader = try VideoReader(try FilmFile.path(name))
            let decoder = try VideoDecoder(reader.parameters, hardware: false)
            let packet = try #require(try reader.nextPacket())
            return PictureConverter.shownLayout(
                of: try #require((decoder.decode(packet) + decoder.drain()).first))
        }
        #expect(try layout("open.mp4") == .planar420(isFullRange: false))
        #expect(try layout("ten.mkv") == .planar420(isFullRange: false))
        #expect(try layout("prores.mov") == .planar420(isFullRange: false))
        #expect(try layout("mjpeg.avi") == .planar420(isFullRange: true))
        #expect(try layout("png.mov") == .bgra)
    }
}
