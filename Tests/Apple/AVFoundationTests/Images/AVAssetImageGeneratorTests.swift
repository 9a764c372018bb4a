import Foundation
import Synchronization
import Testing
import TuttiCodecs
import TuttiTestMedia

@testable import AVFoundation

@Suite("Image generators")
struct AVAssetImageGeneratorTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func generator(path: String, isExact: Bool = true) -> AVAssetImageGenerator {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: URL(fileURLWithPath: path)))
        if isExact {
            generator.requestedTimeToleranceBefore = .zero
            generator.requestedTimeToleranceAfter = .zero
        }
        return generator
    }

    private func generator(_ name: String, isExact: Bool = true) throws -> AVAssetImageGenerator {
        generator(path: try FilmFile.path(name), isExact: isExact)
    }

    private func generator(_ film: FilmFile, _ name: String = "a.mp4") throws -> AVAssetImageGenerator {
        try film.write(to: folder.file(name))
        return generator(path: folder.file(name))
    }

    private static func time(_ picture: Double) -> CMTime {
        CMTime(seconds: picture / 25, preferredTimescale: 90_000)
    }

    private func error(_ body: () async throws -> Void) async -> AVError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? AVError
        }
    }

    // MARK: Times

    @Test("without tolerance the image is that of its time", arguments: FilmFile.kinds.map(\.name))
    func exact(name: String) async throws {
        let generator = try generator(name)
        let track = try #require(try await generator.asset.loadTracks(withMediaType: .video).first)
        let start = try await track.load(.timeRange).start
        for index in [30, 31, 5, 59, 12, 0, 47] {
            let (image, time) = try await generator.image(at: Self.time(Double(index) + 0.25) + start)
            #expect(image.number == index)
            #expect(abs(time.seconds - start.seconds - Double(index) / 25) < 0.002)
            let size = try await track.load(.naturalSize)
            #expect((image.width, image.height) == (Int(size.width.rounded()), Int(size.height)))
        }
    }

    @Test("with infinite tolerance, as at first, the image is a key picture")
    func tolerance() async throws {
        let generator = try generator("closed.mp4", isExact: false)
        #expect(generator.requestedTimeToleranceBefore == .positiveInfinity)
        #expect(generator.requestedTimeToleranceAfter == .positiveInfinity)
        for (index, expected) in [(20, 12), (47, 36), (5, 0), (59, 48), (24, 24)] {
            let (image, time) = try await generator.image(at: Self.time(Double(index)))
            #expect(image.number == expected)
            #expect(abs(time.seconds - Double(expected) / 25) < 0.001)
        }
        generator.requestedTimeToleranceBefore = Self.time(3)
        for index in [20, 47, 5, 59] {
            let number = try #require(try await generator.image(at: Self.time(Double(index))).image.number)
            #expect((index - 3...index).contains(number))
        }
    }

    @Test("times outside the film have the nearest image, or none")
    func outside() async throws {
        let exact = try generator("open.mp4")
        #expect(try await exact.image(at: .zero).image.number == 0)
        // The film's own length is a time that programs ask for.
        let duration = try await exact.asset.load(.duration)
        #expect(try await exact.image(at: duration).image.number == 59)
        for time in [
            CMTime(value: 100, timescale: 1), CMTime(value: -1, timescale: 1), .invalid, .positiveInfinity,
            .indefinite,
        ] {
            let error = await error { _ = try await exact.image(at: time) }
            #expect(error?.code == .noImageAtTime, "\(time)")
            #expect(error?.localizedDescription.isEmpty == false)
        }
        let loose = try generator("open.mp4", isExact: false)
        #expect(try await loose.image(at: CMTime(value: 100, timescale: 1)).image.number == 48)
        #expect(try await loose.image(at: CMTime(value: -1, timescale: 1)).image.number == 0)
    }

    // MARK: Several images

    @Test("several images come once each, in the order of their times")
    func several() async throws {
        let generator = try generator("open.mp4")
        let wanted = [50, 3, 20, 3, 41, 59, 0]
        let results = Mutex<[(Double, Int?, AVAssetImageGenerator.Result)]>([])
        let done = AsyncStream<Void>.makeStream()
        generator.generateCGImagesAsynchronously(
            forTimes: wanted.map { NSValue(time: Self.time(Double($0))) }
        ) {
            requested, image, actual, result, error in
            let count = results.withLock {
                $0.append((requested.seconds, image?.number, result))
                return $0.count
            }
            if count == wanted.count { done.continuation.finish() }
        }
        for await _ in done.stream {}
        let found = results.withLock { $0 }
        #expect(found.allSatisfy { $0.2 == .succeeded })
        #expect(found.map { Int(($0.0 * 25).rounded()) } == found.map { $0.1 })
        #expect(found.compactMap { $0.1 }.sorted() == wanted.sorted())
    }

    @Test("a sequence of images is in the order of the times, with an error for each time without one")
    func sequence() async throws {
        let generator = try generator("vp9.webm")
        let track = try #require(try await generator.asset.loadTracks(withMediaType: .video).first)
        let start = try await track.load(.timeRange).start
        let times = [40.0, 2, 1000, 17].map { Self.time($0) + start }
        var numbers: [Int?] = []
        for await result in generator.images(for: times) {
            numbers.append(try? result.image.number)
            switch result {
            case .success(let requested, let image, let actual):
                #expect(try result.image === image && result.actualTime == actual)
                #expect(result.requestedTime == requested && abs((actual - requested).seconds) < 0.04)
            case .failure(let requested, let error):
                #expect(requested == times[2] && (error as? AVError)?.code == .noImageAtTime)
                #expect(throws: AVError.self) { try result.image }
                #expect(throws: AVError.self) { try result.actualTime }
            }
        }
        #expect(numbers == [2, 17, 40, nil])
        var count = 0
        for await _ in generator.images(for: []) { count += 1 }
        #expect(count == 0)
    }

    @Test("the handler form and the blocking form return the same image")
    @available(*, deprecated)
    func otherForms() async throws {
        let generator = try generator("closed.mp4")
        let number: Int? = await withCheckedContinuation { continuation in
            generator.generateCGImageAsynchronously(for: Self.time(33)) { image, time, error in
                continuation.resume(returning: error == nil && time.isNumeric ? image?.number : nil)
            }
        }
        #expect(number == 33)
        let blocking = Task.detached { [generator] in
            var actual = CMTime.invalid
            let image = try generator.copyCGImage(at: Self.time(14), actualTime: &actual)
            return (image.number, actual.seconds)
        }
        let (copied, seconds) = try await blocking.value
        #expect(copied == 14 && abs(seconds - 14.0 / 25) < 0.001)
    }

    @Test("cancelling ends all requests, and later ones work")
    func cancelling() async throws {
        let generator = try generator("open.mp4")
        let outcomes = Mutex<[AVAssetImageGenerator.Result]>([])
        let wanted = 200
        let done = AsyncStream<Void>.makeStream()
        let times = (0..<wanted).map { NSValue(time: Self.time(Double($0 % 60))) }
        generator.generateCGImagesAsynchronously(forTimes: times) { _, image, _, result, error in
            #expect((image != nil) == (result == .succeeded))
            if result == .cancelled { #expect((error as? AVError)?.code == .operationCancelled) }
            let count = outcomes.withLock {
                $0.append(result)
                return $0.count
            }
            if count == wanted { done.continuation.finish() }
        }
        generator.cancelAllCGImageGeneration()
        for await _ in done.stream {}
        #expect(outcomes.withLock { $0.contains(.cancelled) && !$0.contains(.failed) })
        #expect(try await generator.image(at: Self.time(8)).image.number == 8)
    }

    @Test("a cancelled task throws, and others go on")
    func cancelledTask() async throws {
        let generator = try generator("open.mp4")
        let task = Task { try await generator.image(at: Self.time(20)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await generator.image(at: Self.time(21)).image.number == 21)
        let sequence = Task {
            var count = 0
            for await _ in generator.images(for: (0..<60).map { Self.time(Double($0)) }) { count += 1 }
            return count
        }
        sequence.cancel()
        #expect(await sequence.value < 60)
    }

    @Test("requests go on when the generator is released")
    func released() async throws {
        let path = try FilmFile.path("open.mp4")
        let number: Int? = await withCheckedContinuation { continuation in
            generator(path: path).generateCGImageAsynchronously(for: Self.time(9)) { image, _, _ in
                continuation.resume(returning: image?.number)
            }
        }
        #expect(number == 9)
    }

    // MARK: Shape

    @Test(
        "larger pictures are scaled down with their proportions",
        arguments: [
            (80, 80, 80, 48), (1000, 1000, 160, 96), (0, 48, 80, 48), (40, 0, 40, 24), (0, 0, 160, 96),
            (-5, 48, 80, 48),
            (1, 1, 1, 1), (160, 10, 17, 10),
        ])
    func maximumSize(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int) async throws {
        let generator = try generator("closed.mp4")
        generator.maximumSize = CGSize(width: width, height: height)
        let image = try await generator.image(at: Self.time(7)).image
        #expect((image.width, image.height) == (expectedWidth, expectedHeight))
        if expectedWidth >= 40 { #expect(image.number == 7) }
    }

    @Test("sizes that mean nothing do not limit", arguments: [CGFloat.nan, -.infinity, .infinity])
    func strangeSizes(side: CGFloat) async throws {
        let generator = try generator("closed.mp4")
        generator.maximumSize = CGSize(width: side, height: side)
        let image = try await generator.image(at: Self.time(7)).image
        #expect((image.width, image.height) == (160, 96))
    }

    @Test("images have square pixels unless the encoded ones are wanted")
    func aperture() async throws {
        var film = FilmFile.h264(isOpen: false)
        film.aspect = (4, 3)
        let generator = try generator(film)
        let modes: [(AVAssetImageGenerator.ApertureMode?, Int)] = [
            (nil, 213), (.cleanAperture, 213), (.productionAperture, 213), (.encodedPixels, 160),
        ]
        for (mode, width) in modes {
            generator.apertureMode = mode
            let image = try await generator.image(at: Self.time(25)).image
            #expect((image.width, image.height) == (width, 96))
            #expect(image.number == 25)
        }
    }

    /// Places in the turned image for places in the upright picture.
    static let turns: [([Int32], @Sendable (Double, Double) -> (Double, Double))] = [
        (FilmFile.rotation(1, 0, 0, 1), { ($0, $1) }), (FilmFile.rotation(-1, 0, 0, 1), { (1 - $0, $1) }),
        (FilmFile.rotation(-1, 0, 0, -1), { (1 - $0, 1 - $1) }),
        (FilmFile.rotation(1, 0, 0, -1), { ($0, 1 - $1) }),
        (FilmFile.rotation(0, 1, 1, 0), { ($1, $0) }), (FilmFile.rotation(0, 1, -1, 0), { (1 - $1, $0) }),
        (FilmFile.rotation(0, -1, -1, 0), { (1 - $1, 1 - $0) }),
        (FilmFile.rotation(0, -1, 1, 0), { ($1, 1 - $0) }),
    ]

    @Test("images are turned as the track wants if that is asked for", arguments: turns.indices)
    func turned(index: Int) async throws {
        let (matrix, place) = Self.turns[index]
        var film = FilmFile.h264(isOpen: false)
        film.displayMatrix = matrix
        let generator = try generator(film)
        #expect(!generator.appliesPreferredTrackTransform)
        let stored = try await generator.image(at: Self.time(38)).image
        #expect(stored.number == 38 && stored.width == 160)
        generator.appliesPreferredTrackTransform = true
        for limit in [CGSize.zero, CGSize(width: 60, height: 60)] {
            generator.maximumSize = limit
            let image = try await generator.image(at: Self.time(38)).image
            let isQuarter = matrix[0] == 0
            let size = limit == .zero ? (160, 96) : (60, 36)
            #expect((image.width, image.height) == (isQuarter ? (size.1, size.0) : size))
            #expect(image.number(at: place) == 38)
        }
    }

    @Test("pixels that are far from square do not exceed the limits")
    func extremeAspect() {
        let size = ImageSize(width: 16_384, height: 2304, aspect: 32, swapsSides: false, limit: .zero)
        #expect(size.width <= 16_384 && size.height <= 16_384 && size.width * size.height <= 36 << 20)
        let tall = ImageSize(width: 7680, height: 4320, aspect: 1.0 / 32, swapsSides: true, limit: .zero)
        #expect(tall.width == 4320 && tall.height == 240)
        let thin = ImageSize(
            width: 16_384, height: 1, aspect: 1, swapsSides: false, limit: CGSize(width: 10, height: 10))
        #expect(thin == ImageSize(width: 10, height: 1, aspect: 1, swapsSides: false, limit: .zero))
    }

    @Test("an image has eight bits of blue, green and red")
    func format() async throws {
        var film = FilmFile("ffv1")
        film.pixelFormat = "yuv444p"
        film.pictureCount = 1
        film.color = FilmFile.Color(matrix: 1, primaries: 1, transfer: 1, isFullRange: false)
        film.samples = [FilmFile.Samples(63, 102, 240)]
        let image = try await generator(film, "a.mkv").image(at: .zero).image
        #expect(image.bitsPerComponent == 8 && image.bitsPerPixel == 32)
        #expect(image.alphaInfo == .noneSkipFirst && image.byteOrderInfo == .order32Little)
        #expect(image.colorSpace?.name == CGColorSpace.sRGB)
        // A pure red of BT.709.
        let pixel = image.pixel(x: 80, y: 48)
        #expect(pixel[0] <= 2 && pixel[1] <= 2 && pixel[2] >= 253)
    }

    @Test("the colours of a high dynamic range are named")
    func colorSpaces() async throws {
        for (primaries, transfer, name) in [
            (9, 16, CGColorSpace.itur_2100_PQ), (9, 18, CGColorSpace.itur_2100_HLG),
            (9, 14, CGColorSpace.itur_2020),
            (12, 13, CGColorSpace.displayP3), (1, 1, CGColorSpace.sRGB),
        ] as [(UInt32, UInt32, NSString)] {
            var film = FilmFile("ffv1")
            film.pictureCount = 1
            film.color = FilmFile.Color(
                matrix: 9, primaries: primaries, transfer: transfer, isFullRange: false)
            #expect(
                try await generator(film, "\(transfer).mkv").image(at: .zero).image.colorSpace?.name == name)
        }
    }

    // MARK: Errors

    @Test("assets without images say why")
    func errors() async throws {
        try MediaFile.kind("aac.m4a").write(Signal.sweep(frameCount: 20_000), to: folder.file("a.m4a"))
        let music = await error { _ = try await generator(path: folder.file("a.m4a")).image(at: .zero) }
        #expect(music?.code == .operationNotSupportedForAsset)
        #expect(music?.localizedDescription == "a.m4a has no pictures")
        let missing = await error { _ = try await generator(path: folder.file("no.mp4")).image(at: .zero) }
        #expect(missing?.code == .contentIsUnavailable)
        var bytes = try TestFolder.bytes(of: try FilmFile.path("png.mov"))
        for index in bytes.indices.dropLast(4) where bytes[index...].starts(with: Array("IHDR".utf8)) {
            bytes.replaceSubrange(index..<index + 4, with: Array("XXXX".utf8))
        }
        let broken = generator(path: try folder.write(bytes, to: "broken.mov"))
        let damaged = await error { _ = try await broken.image(at: .zero) }
        #expect(damaged?.code == .decodeFailed)
    }

    @Test("a film that is damaged in the middle has images before and after")
    func damaged() async throws {
        var bytes = try TestFolder.bytes(of: try FilmFile.path("mjpeg.mov"))
        // The tenth picture loses its beginning.
        let starts = bytes.indices.dropLast(3).filter {
            bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 && bytes[$0 + 2] == 0xFF
        }
        try #require(starts.count == 60)
        bytes.replaceSubrange(starts[10]..<starts[10] + 400, with: [UInt8](repeating: 0, count: 400))
        let generator = generator(path: try folder.write(bytes, to: "a.mov"))
        for index in [5, 9, 11, 50] {
            #expect(try await generator.image(at: Self.time(Double(index) + 0.5)).image.number == index)
        }
        // The picture before it stands for the damaged one.
        #expect(try await generator.image(at: Self.time(10.5)).image.number == 9)
    }
}
