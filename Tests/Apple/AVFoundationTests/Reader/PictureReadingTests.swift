import Foundation
import Playback
import Testing
import TuttiCodecs
import TuttiTestMedia

@testable import AVFoundation

@Suite("Asset readers of pictures")
struct PictureReadingTests {
    let folder: TestFolder
    let reading = FilmReading()

    init() throws { folder = try TestFolder() }

    private func track(path: String) async throws -> (AVURLAsset, AVAssetTrack) {
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        return (asset, try #require(try await asset.loadTracks(withMediaType: .video).first))
    }

    private func track(_ name: String) async throws -> (AVURLAsset, AVAssetTrack) {
        try await track(path: try FilmFile.path(name))
    }

    private static var any: [String: Any] { [:] }

    private static func format(_ format: OSType) -> [String: Any] {
        [kCVPixelBufferPixelFormatTypeKey as String: NSNumber(value: format)]
    }

    private static func time(_ pictures: Double) -> CMTime {
        CMTime(seconds: pictures / 25, preferredTimescale: 90_000)
    }

    private static func range(_ start: Double, _ end: Double) -> CMTimeRange {
        CMTimeRange(start: time(start), end: time(end))
    }

    private func flag(_ key: CFString, of buffer: CMSampleBuffer) -> Bool {
        let sample = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false)?.firstObject
        return ((sample as? NSDictionary)?.object(forKey: key) as? NSNumber)?.boolValue ?? false
    }

    /// Decodes stored packets; returns the numbers of pictures that are to be shown.
    private func decode(_ buffers: [CMSampleBuffer]) throws -> [Int?] {
        let format = try #require(buffers.first?.formatDescription)
        let decoder = try VideoDecoder(try #require(VideoDescription.parameters(of: format)), hardware: false)
        var shown: Set<Int64> = []
        var frames: [VideoFrame] = []
        for (index, buffer) in buffers.enumerated() {
            let bytes = try #require(buffer.dataBuffer).dataBytes()
            let packet = try #require(
                bytes.withUnsafeBytes {
                    VideoPacket(
                        $0, presentationTime: Int64(index),
                        isKey: !flag(kCMSampleAttachmentKey_NotSync, of: buffer))
                })
            if !flag(kCMSampleAttachmentKey_DoNotDisplay, of: buffer) { shown.insert(Int64(index)) }
            frames += decoder.decode(packet)
        }
        frames += decoder.drain()
        return try frames.filter { shown.contains($0.packetTime ?? -1) }.map { try reading.number(of: $0) }
    }

    // MARK: Stored packets

    @Test(
        "stored packets come in the order of decoding and are the complete film",
        arguments: FilmFile.kinds.map(\.name))
    func stored(name: String) async throws {
        let (asset, track) = try await track(name)
        let read = try SampleReading(asset, track)
        #expect(read.output.mediaType == .video)
        let buffers = read.buffers()
        #expect(read.reader.status == .completed)
        #expect(try decode(buffers) == (0..<60).map { $0 })
        let formats = try await track.load(.formatDescriptions)
        #expect(buffers.allSatisfy { $0.formatDescription == formats.first && $0.numSamples == 1 })
        // One picture each, at the times of the asset.
        let decoding = buffers.map(\.decodeTimeStamp).filter(\.isNumeric)
        #expect(zip(decoding, decoding.dropFirst()).allSatisfy { $0 <= $1 })
        let shown = buffers.map(\.presentationTimeStamp.seconds).sorted()
        #expect(abs(shown[0]) < 0.15 && abs(shown[59] - shown[0] - 59.0 / 25) < 0.1)
        #expect(!flag(kCMSampleAttachmentKey_NotSync, of: buffers[0]))
        for buffer in buffers {
            let isKey = !flag(kCMSampleAttachmentKey_NotSync, of: buffer)
            #expect(flag(kCMSampleAttachmentKey_DependsOnOthers, of: buffer) == !isKey)
            #expect(buffer.totalSampleSize == buffer.dataBuffer?.dataLength)
        }
    }

    @Test(
        "a range of stored packets begins at a key picture, and marks what is not shown",
        arguments: [
            "closed.mp4", "open.mp4", "open.mkv", "hevc.mp4", "hevc.ts", "vp9.webm", "mpeg2.ts",
        ])
    func storedRange(name: String) async throws {
        let (asset, track) = try await track(name)
        let first = try await track.load(.timeRange).start
        for (start, end) in [(10, 20), (0, 5), (12, 13), (13, 37), (47, 60), (59, 90), (30, 31)] {
            let range = CMTimeRange(
                start: Self.time(Double(start)) + first, end: Self.time(Double(end)) + first)
            let buffers = try SampleReading(asset, track, range: range).buffers()
            #expect(!flag(kCMSampleAttachmentKey_NotSync, of: try #require(buffers.first)))
            #expect(try decode(buffers) == (start..<min(60, end)).map { $0 }, "\(start)..<\(end)")
            #expect(buffers.count <= end - start + 32)
        }
    }

    // MARK: Decoded pictures

    @Test("decoded pictures come in the order of their times", arguments: FilmFile.kinds.map(\.name))
    func decoded(name: String) async throws {
        let (asset, track) = try await track(name)
        let read = try SampleReading(asset, track, settings: Self.format(kCVPixelFormatType_32BGRA))
        let buffers = read.buffers()
        #expect(read.reader.status == .completed)
        #expect(read.reader.error == nil)
        #expect(try buffers.map { try #require($0.imageBuffer).number } == (0..<60).map { $0 })
        let times = buffers.map(\.presentationTimeStamp)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        let start = try await track.load(.timeRange).start
        for (index, buffer) in buffers.enumerated() {
            let expected = start.seconds + Double(index) / 25
            #expect(abs(buffer.presentationTimeStamp.seconds - expected) < 0.002)
            #expect(abs(buffer.duration.seconds - 1.0 / 25) < 0.002)
            #expect(buffer.dataBuffer == nil && !buffer.decodeTimeStamp.isValid)
            let format = try #require(buffer.formatDescription)
            #expect(format.mediaSubType.rawValue == kCVPixelFormatType_32BGRA)
            #expect(format.dimensions.width == track.stream.width)
        }
    }

    @Test(
        "a range of decoded pictures is exact at both ends",
        arguments: [
            "closed.mp4", "open.mp4", "open.mkv", "hevc.mp4", "hevc.ts", "open.ts", "vp9.webm", "mpeg4.avi",
            "mpeg2.ts", "av1.mkv",
        ])
    func decodedRange(name: String) async throws {
        let (asset, track) = try await track(name)
        let first = try await track.load(.timeRange).start.seconds * 25
        let cases: [(Double, Double, Range<Int>)] = [
            (10, 20, 10..<20), (11.5, 11.6, 11..<12), (0, 1, 0..<1), (12, 13, 12..<13), (23.2, 25.1, 23..<26),
            (59, 60, 59..<60), (58.5, 1000, 58..<60), (60.5, 100, 0..<0), (30, 30, 0..<0),
            (1000, 2000, 0..<0),
            (0.9, 2.1, 0..<3),
        ]
        for (start, end, expected) in cases {
            let range = Self.range(start + first, end + first)
            let read = try SampleReading(asset, track, settings: Self.any, range: range)
            let numbers = read.buffers().map { $0.imageBuffer?.number }
            #expect(read.reader.status == .completed)
            #expect(numbers == expected.map { $0 }, "\(start)..<\(end)")
        }
    }

    @Test("adjacent ranges at pictures' times share no picture, with coarse units too")
    func adjacent() async throws {
        var film = FilmFile.h264(isOpen: true)
        film.rate = (24_000, 1001)
        try film.write(to: folder.file("a.mkv"))
        let (asset, track) = try await track(path: folder.file("a.mkv"))
        func time(_ index: Int) -> CMTime { CMTime(value: Int64(index) * 1001, timescale: 24_000) }
        var numbers: [Int?] = []
        for start in stride(from: 0, to: 60, by: 7) {
            let range = CMTimeRange(start: time(start), end: time(start + 7))
            numbers += try SampleReading(asset, track, settings: Self.any, range: range).buffers()
                .map { $0.imageBuffer?.number }
        }
        #expect(numbers == (0..<60).map { $0 })
    }

    @Test("a reset output reads other ranges, forwards and backwards")
    func reset() async throws {
        for settings in [Self.any, nil] {
            let (asset, track) = try await track("open.mp4")
            let read = try SampleReading(
                asset, track, settings: settings, range: Self.range(5, 7), isRandom: true)
            func numbers() throws -> [Int?] {
                let buffers = read.buffers()
                return settings == nil ? try decode(buffers) : buffers.map { $0.imageBuffer?.number }
            }
            #expect(try numbers() == [5, 6])
            read.output.reset(forReadingTimeRanges: [NSValue(timeRange: Self.range(7, 9))])
            #expect(try numbers() == [7, 8])
            read.output.reset(forReadingTimeRanges: [NSValue(timeRange: Self.range(40, 42))])
            #expect(try numbers() == [40, 41])
            read.output.reset(forReadingTimeRanges: [NSValue(timeRange: Self.range(0, 2))])
            #expect(try numbers() == [0, 1])
            if settings != nil {
                let ranges = [Self.range(11, 13), Self.range(20, 22), Self.range(58, 99)]
                read.output.reset(forReadingTimeRanges: ranges.map { NSValue(timeRange: $0) })
                #expect(try numbers() == [11, 12, 20, 21, 58, 59])
            }
            #expect(read.reader.status == .reading)
            read.output.markConfigurationAsFinal()
            #expect(read.reader.status == .completed)
        }
    }

    @Test("sound and pictures of one reader are read side by side")
    func soundToo() async throws {
        let (asset, track) = try await track("closed.mp4")
        let sound = try #require(try await asset.loadTracks(withMediaType: .audio).first)
        let reader = try AVAssetReader(asset: asset)
        let pictures = AVAssetReaderTrackOutput(track: track, outputSettings: Self.any)
        let samples = AVAssetReaderTrackOutput(
            track: sound, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
        for output in [pictures, samples] {
            #expect(reader.canAdd(output))
            reader.add(output)
        }
        reader.timeRange = Self.range(10, 35)
        #expect(reader.startReading())
        var numbers: [Int?] = []
        while let buffer = pictures.copyNextSampleBuffer() { numbers.append(buffer.imageBuffer?.number) }
        #expect(numbers == (10..<35).map { $0 })
        #expect(reader.status == .reading)
        var frames = 0
        while let buffer = samples.copyNextSampleBuffer() { frames += buffer.numSamples }
        #expect(frames == 48_000)
        #expect(reader.status == .completed)
    }

    @Test("pictures that the program changes do not change those that follow")
    func copies() async throws {
        let (asset, track) = try await track("open.mp4")
        let read = try SampleReading(asset, track, settings: Self.any)
        #expect(read.output.alwaysCopiesSampleData)
        var numbers: [Int?] = []
        while let buffer = read.output.copyNextSampleBuffer() {
            let pixels = try #require(buffer.imageBuffer)
            numbers.append(pixels.number)
            let luma = try #require(CVPixelBufferGetBaseAddressOfPlane(pixels, 0))
            luma.initializeMemory(
                as: UInt8.self, repeating: 77, count: CVPixelBufferGetBytesPerRowOfPlane(pixels, 0) * 96)
        }
        #expect(numbers == (0..<60).map { $0 })
        let shared = AVAssetReaderTrackOutput(track: track, outputSettings: Self.any)
        shared.alwaysCopiesSampleData = false
        let reader = try AVAssetReader(asset: asset)
        reader.add(shared)
        #expect(reader.startReading())
        var count = 0
        while let buffer = shared.copyNextSampleBuffer() {
            #expect(buffer.imageBuffer?.number == count)
            count += 1
        }
        #expect(count == 60)
    }

    // MARK: Settings

    static let formats: [OSType] = [
        kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB,
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange,
        kCVPixelFormatType_444YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
        kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_24RGB, kCVPixelFormatType_OneComponent8,
    ]

    @Test("pictures have the wanted format and size", arguments: formats)
    func wantedFormat(format: OSType) async throws {
        let (asset, track) = try await track("closed.mp4")
        var settings = Self.format(format)
        settings[kCVPixelBufferIOSurfacePropertiesKey as String] = [String: Any]()
        let isReadable = CVPixelFormatIsReadable(format)
        for size in [nil, (80, 48), (320, 100)] {
            if let size {
                settings[kCVPixelBufferWidthKey as String] = size.0
                settings[kCVPixelBufferHeightKey as String] = size.1
            }
            let read = try SampleReading(asset, track, settings: settings, range: Self.range(3, 6))
            let buffers = read.buffers()
            #expect(buffers.count == 3)
            for (index, buffer) in buffers.enumerated() {
                let pixels = try #require(buffer.imageBuffer)
                #expect(CVPixelBufferGetPixelFormatType(pixels) == format)
                #expect(CVPixelBufferGetWidth(pixels) == size?.0 ?? 160)
                #expect(CVPixelBufferGetHeight(pixels) == size?.1 ?? 96)
                if isReadable { #expect(pixels.number == index + 3) }
            }
        }
    }

    private func CVPixelFormatIsReadable(_ format: OSType) -> Bool {
        ![kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_24RGB, kCVPixelFormatType_OneComponent8].contains(
            format)
    }

    static var refused: [[String: Any]] {
        [
            [kCVPixelBufferPixelFormatTypeKey as String: NSNumber(value: 0x3F3F_3F3F)],
            [kCVPixelBufferPixelFormatTypeKey as String: "BGRA"],
            [kCVPixelBufferPixelFormatTypeKey as String: [Int]()],
            [kCVPixelBufferWidthKey as String: 0], [kCVPixelBufferWidthKey as String: 16_385],
            [kCVPixelBufferHeightKey as String: -1], [kCVPixelBufferHeightKey as String: "96"],
            [kCVPixelBufferWidthKey as String: 16_384, kCVPixelBufferHeightKey as String: 16_384],
            ["AVVideoCodecKey": "avc1"], [AVFormatIDKey: kAudioFormatLinearPCM],
        ]
    }

    @Test("settings that are not supported are refused", arguments: refused.indices)
    func refusals(index: Int) async throws {
        let (asset, track) = try await track("closed.mp4")
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: Self.refused[index])
        #expect(try !AVAssetReader(asset: asset).canAdd(output))
        let error = #expect(throws: AVError.self) { try output.form() }
        #expect(error?.code == .unsupportedOutputSettings)
        #expect(error?.localizedDescription.hasPrefix("the output settings are not supported: ") == true)
    }

    @Test("the first supported one of several formats counts")
    func severalFormats() async throws {
        let (asset, track) = try await track("closed.mp4")
        let formats = [0x3F3F_3F3F, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32BGRA].map {
            NSNumber(value: $0)
        }
        let read = try SampleReading(
            asset, track, settings: [kCVPixelBufferPixelFormatTypeKey as String: formats],
            range: Self.range(0, 1))
        let pixels = try #require(read.buffers().first?.imageBuffer)
        #expect(CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_32ARGB)
    }

    // MARK: Failures

    @Test("tracks of texts cannot be read")
    func texts() async throws {
        var film = FilmFile.h264(isOpen: false)
        film.texts = [(0, "Hello")]
        try film.write(to: folder.file("a.mkv"))
        let asset = AVURLAsset(url: URL(fileURLWithPath: folder.file("a.mkv")))
        let text = try #require(try await asset.loadTracks(withMediaType: .subtitle).first)
        let output = AVAssetReaderTrackOutput(track: text, outputSettings: nil)
        #expect(try !AVAssetReader(asset: asset).canAdd(output))
    }

    @Test("pictures that are too large cannot be read, and say so")
    func tooLarge() async throws {
        var film = FilmFile("qtrle")
        (film.pixelFormat, film.pictureCount, film.soundCodec) = ("rgb24", 3, "aac")
        try film.write(to: folder.file("a.mov"))
        var bytes = try TestFolder.bytes(of: folder.file("a.mov"))
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("rle ".utf8)) }) + 28
        bytes.replaceSubrange(place..<place + 4, with: [0x2E, 0xE0, 0x2E, 0xE0])
        let (asset, track) = try await track(path: try folder.write(bytes, to: "large.mov"))
        #expect(try await track.load(.formatDescriptions).isEmpty)
        #expect(try await !track.load(.isPlayable))
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        #expect(try !AVAssetReader(asset: asset).canAdd(output))
        let error = #expect(throws: AVError.self) { try output.form() }
        #expect(error?.localizedDescription == "pictures of 12000 × 12000 pixels are not supported")
    }

    @Test("a film of which no picture can be decoded fails")
    func undecodable() async throws {
        var bytes = try TestFolder.bytes(of: try FilmFile.path("png.mov"))
        for index in bytes.indices.dropLast(4) where bytes[index...].starts(with: Array("IHDR".utf8)) {
            bytes.replaceSubrange(index..<index + 4, with: Array("XXXX".utf8))
        }
        let (asset, track) = try await track(path: try folder.write(bytes, to: "a.mov"))
        let read = try SampleReading(asset, track, settings: Self.any)
        #expect(read.buffers().isEmpty)
        #expect(read.reader.status == .failed)
        #expect((read.reader.error as? AVError)?.code == .decodeFailed)
    }

    @Test("a cancelled reader gives no further picture")
    func cancelled() async throws {
        let (asset, track) = try await track("open.mp4")
        for settings in [Self.any, nil] {
            let read = try SampleReading(asset, track, settings: settings)
            #expect(read.output.copyNextSampleBuffer() != nil)
            read.reader.cancelReading()
            #expect(read.output.copyNextSampleBuffer() == nil)
            #expect(read.reader.status == .cancelled)
        }
    }
}
