import Foundation
import Testing
import TuttiCodecs
import TuttiPCM
import TuttiTestMedia

@testable import AVFoundation

@Suite("Asset readers")
struct AVAssetReaderTests {
    static let frameCount = 100_000
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func track(_ name: String) async throws -> (AVURLAsset, AVAssetTrack) {
        let path = folder.file(name)
        if !FileManager.default.fileExists(atPath: path) {
            try MediaFile.kind(name).write(
                Signal.sweep(frameCount: Self.frameCount, rate: name.contains("opus") ? .hz48000 : .hz44100),
                to: path)
        }
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        return (asset, try #require(try await asset.loadTracks(withMediaType: .audio).first))
    }

    private func decoded(_ name: String) throws -> PCMBuffer {
        try DecodedRun(path: folder.file(name)).buffer
    }

    private static func time(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 44_100) }

    private static var float: [String: Any] {
        [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32]
    }

    // MARK: Stored packets

    @Test("stored packets with their trims are the complete audio", arguments: MediaFile.kinds.map(\.name))
    func stored(name: String) async throws {
        let (asset, track) = try await track(name)
        let reading = try SampleReading(asset, track)
        #expect(reading.reader.status == .reading)
        let buffers = reading.buffers()
        #expect(reading.reader.status == .completed)
        #expect(reading.reader.error == nil)
        #expect(reading.output.copyNextSampleBuffer() == nil)
        let heard = try HeardSound(buffers)
        #expect(heard.buffer == (try decoded(name)))
        #expect(heard.start == .zero)
        #expect(heard.holeCount == 0)
        let formats = try await track.load(.formatDescriptions)
        #expect(buffers.allSatisfy { $0.formatDescription == formats.first })
    }

    @Test("the first and last buffers carry the file's priming and padding")
    func trims() async throws {
        let (asset, track) = try await track("aac.m4a")
        let buffers = try SampleReading(asset, track).buffers()
        let first = try #require(buffers.first)
        #expect(first.presentationTimeStamp == Self.time(-1024))
        #expect(first.outputPresentationTimeStamp == .zero)
        let last = try #require(buffers.last)
        #expect(last.outputPresentationTimeStamp + last.outputDuration == Self.time(100_000))
        #expect(last.presentationTimeStamp + last.duration > Self.time(100_000))
        #expect(buffers.dropFirst().dropLast().allSatisfy { $0.outputDuration == $0.duration })
    }

    @Test("ranges that join in time join in frames", arguments: ["aac.m4a", "a.wav", "cbr.mp3", "a.flac"])
    func joined(name: String) async throws {
        let (asset, track) = try await track(name)
        // None of these is a whole number of frames.
        let cuts = [0, 333, 997, 1400, 2268].map { CMTime(value: Int64($0), timescale: 1000) }
        var whole: PCMBuffer?
        for (start, end) in zip(cuts, cuts.dropFirst()) {
            let range = CMTimeRange(start: start, end: end)
            let heard = try #require(try SampleReading(asset, track, range: range).heard().buffer)
            if whole == nil { whole = heard } else { whole?.append(heard) }
        }
        let expected = try decoded(name)
        #expect(
            Signal.distance(try #require(whole), expected)
                <= (name == "aac.m4a" || name == "cbr.mp3" ? 1 / 32_768 : 0))
    }

    // MARK: Linear PCM

    @Test("samples decode at the source's own rate", arguments: ["a.wav", "alac24.m4a", "a.flac"])
    func decodedSamples(name: String) async throws {
        let (asset, track) = try await track(name)
        let bits = name.contains("24") ? 24 : 16
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: bits]
        let heard = try SampleReading(asset, track, settings: settings).heard()
        #expect(heard.buffer == (try decoded(name)))
        #expect(heard.start == .zero)
    }

    @Test("settings determine the sample layout")
    func shape() async throws {
        let (asset, track) = try await track("aac.m4a")
        let settings: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: true,
            AVLinearPCMIsNonInterleaved: true,
        ]
        let reading = try SampleReading(asset, track, settings: settings)
        let first = try #require(reading.output.copyNextSampleBuffer())
        let description = try #require(first.formatDescription?.audioStreamBasicDescription)
        #expect(description.mSampleRate == 48_000)
        #expect(description.mChannelsPerFrame == 1)
        #expect(description.mBytesPerFrame == 2)
        let flags =
            kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | kAudioFormatFlagIsBigEndian
            | kAudioFormatFlagIsNonInterleaved
        #expect(description.mFormatFlags == flags)
        let frames = first.numSamples + reading.buffers().reduce(0) { $0 + $1.numSamples }
        #expect(frames == Int((100_000.0 * 48_000 / 44_100).rounded()))
        #expect(reading.reader.status == .completed)
    }

    @Test("missing settings default to the source's, with 16 bits")
    func defaults() async throws {
        let (asset, track) = try await track("a24.wav")
        let reading = try SampleReading(asset, track, settings: [AVFormatIDKey: kAudioFormatLinearPCM])
        let description = try #require(
            reading.output.copyNextSampleBuffer()?.formatDescription?.audioStreamBasicDescription)
        #expect(description.mBitsPerChannel == 16)
        #expect(description.mSampleRate == 44_100)
        #expect(description.mChannelsPerFrame == 2)
        #expect(description.mFormatFlags == kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked)
    }

    static let refused: [(String, [String: any Sendable])] = [
        ("no format", [:]), ("AAC", [AVFormatIDKey: kAudioFormatMPEG4AAC]),
        ("12 bits", [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 12]),
        ("no rate", [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 0]),
        ("not a rate", [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Double.nan]),
        ("words", [AVFormatIDKey: "lpcm"]),
        ("five channels", [AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 5]),
        ("no channels", [AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 0]),
        ("a short layout", [AVFormatIDKey: kAudioFormatLinearPCM, AVChannelLayoutKey: Data([1, 2])]),
        (
            "a layout of another count",
            [
                AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 2,
                AVChannelLayoutKey: layout(.mono),
            ]
        ),
    ]

    private enum Places: UInt32 {
        case mono = 0x64_0001
        case stereo = 0x65_0002
    }

    private static func layout(_ places: Places) -> Data {
        withUnsafeBytes(of: places.rawValue.littleEndian) { Data($0) } + Data(count: 8)
    }

    @Test("unsupported settings make an output that cannot be added", arguments: refused)
    func impossible(name: String, settings: [String: any Sendable]) async throws {
        let (asset, track) = try await track("a.wav")
        let reader = try AVAssetReader(asset: asset)
        #expect(!reader.canAdd(AVAssetReaderTrackOutput(track: track, outputSettings: settings)))
        let error = #expect(throws: AVError.self) {
            try AVAssetReaderTrackOutput(track: track, outputSettings: settings).form()
        }
        #expect(error?.code == .unsupportedOutputSettings)
    }

    @Test("a layout determines the channel count")
    func layouts() async throws {
        let (asset, track) = try await track("a.wav")
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVChannelLayoutKey: Self.layout(.mono),
        ]
        let buffer = try #require(
            try SampleReading(asset, track, settings: settings).output.copyNextSampleBuffer())
        #expect(buffer.formatDescription?.audioStreamBasicDescription?.mChannelsPerFrame == 1)
        #expect(buffer.formatDescription?.audioChannelLayout?.tag == kAudioChannelLayoutTag_Mono)
    }

    // MARK: Random access

    @Test("after the last sample, further ranges can be read", arguments: [false, true])
    func random(isDecoded: Bool) async throws {
        let settings = isDecoded ? Self.float : nil
        let (asset, track) = try await track("a.flac")
        let reading = try SampleReading(
            asset, track, settings: settings, range: CMTimeRange(start: .zero, end: Self.time(1000)),
            isRandom: true)
        #expect(try reading.heard().buffer?.frameCount == 1000)
        #expect(reading.reader.status == .reading)
        let ranges = [50_000..<60_000, 70_000..<70_001].map { (range: Range<Int64>) in
            NSValue(
                timeRange: CMTimeRange(start: Self.time(range.lowerBound), end: Self.time(range.upperBound)))
        }
        reading.output.reset(forReadingTimeRanges: ranges)
        let buffers = reading.buffers()
        #expect(buffers.first?.outputPresentationTimeStamp == Self.time(50_000))
        #expect(buffers.last?.outputPresentationTimeStamp == Self.time(70_000))
        let heard = try HeardSound(buffers)
        #expect(heard.holeCount == 1)
        var expected = try decoded("a.flac")[50_000..<60_000]
        expected.append(try decoded("a.flac")[70_000..<70_001])
        if settings == nil {
            #expect(heard.buffer == expected)
        } else {
            #expect(Signal.distance(try #require(heard.buffer), expected) == 0)
        }
        // Back to the start.
        reading.output.reset(forReadingTimeRanges: [
            NSValue(timeRange: CMTimeRange(start: .zero, end: Self.time(500)))
        ])
        #expect(try reading.heard().buffer?.frameCount == 500)
        reading.output.markConfigurationAsFinal()
        #expect(reading.reader.status == .completed)
        #expect(reading.output.copyNextSampleBuffer() == nil)
    }

    // MARK: Status

    @Test("an output belongs to one asset and one reader")
    func adding() async throws {
        let (asset, track) = try await track("a.wav")
        let (_, foreign) = try await self.track("a.wav")
        let reader = try AVAssetReader(asset: asset)
        #expect(reader.status == .unknown)
        #expect(!reader.canAdd(AVAssetReaderTrackOutput(track: foreign, outputSettings: nil)))
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        #expect(output.alwaysCopiesSampleData)
        output.alwaysCopiesSampleData = false
        #expect(reader.canAdd(output))
        reader.add(output)
        #expect(!reader.canAdd(output))
        #expect(reader.outputs == [output])
        #expect(!(try AVAssetReader(asset: asset)).canAdd(output))
    }

    @Test("two outputs read side by side; the reader completes with the last one")
    func two() async throws {
        let (asset, track) = try await track("a.flac")
        let reader = try AVAssetReader(asset: asset)
        let outputs = [nil, Self.float].map { AVAssetReaderTrackOutput(track: track, outputSettings: $0) }
        for output in outputs { reader.add(output) }
        #expect(reader.startReading())
        var counts = [0, 0]
        var isBusy = true
        while isBusy {
            isBusy = false
            for (index, output) in outputs.enumerated() {
                guard let buffer = output.copyNextSampleBuffer() else { continue }
                counts[index] += Int(buffer.duration.convertScale(44_100, method: .default).value)
                isBusy = true
            }
            #expect(reader.status == (isBusy ? .reading : .completed) || counts == [100_000, 100_000])
        }
        #expect(counts == [100_000, 100_000])
        #expect(reader.status == .completed)
    }

    @Test("cancelling ends reading")
    func cancelled() async throws {
        let (asset, track) = try await track("a.wav")
        let reading = try SampleReading(asset, track)
        #expect(reading.output.copyNextSampleBuffer() != nil)
        reading.reader.cancelReading()
        #expect(reading.reader.status == .cancelled)
        #expect(reading.output.copyNextSampleBuffer() == nil)
        #expect(reading.reader.error == nil)
    }

    @Test("a file that was deleted fails the start")
    func gone() async throws {
        let (asset, track) = try await track("a.wav")
        try FileManager.default.removeItem(atPath: folder.file("a.wav"))
        let reader = try AVAssetReader(asset: asset)
        reader.add(AVAssetReaderTrackOutput(track: track, outputSettings: nil))
        #expect(!reader.startReading())
        #expect(reader.status == .failed)
        #expect((reader.error as? AVError)?.code == .contentIsUnavailable)
    }

    @Test("an asset that cannot be opened has no reader")
    func unopened() async throws {
        let asset = AVURLAsset(url: URL(fileURLWithPath: folder.file("none.wav")))
        _ = try? await asset.load(.duration)
        let error = #expect(throws: AVError.self) { try AVAssetReader(asset: asset) }
        #expect(error?.code == .contentIsUnavailable)
    }

    static let ranges: [(CMTimeRange, Int)] = [
        (CMTimeRange(start: .zero, duration: .positiveInfinity), 100_000),
        (CMTimeRange(start: time(99_000), duration: .positiveInfinity), 1000),
        (CMTimeRange(start: time(-500), end: time(500)), 500),
        (CMTimeRange(start: time(200_000), duration: .positiveInfinity), 0),
        (CMTimeRange(start: time(5), duration: .zero), 0),
        (
            CMTimeRange(
                start: CMTime(value: 1, timescale: 1), duration: CMTime(value: 1 << 60, timescale: 1)), 55_900
        ),
    ]

    @Test("time ranges of every kind are read", arguments: ranges)
    func partly(range: CMTimeRange, count: Int) async throws {
        let (asset, track) = try await track("a.flac")
        let reading = try SampleReading(asset, track, range: range)
        #expect(try reading.heard().buffer?.frameCount ?? 0 == count)
        #expect(reading.reader.status == .completed)
    }
}
