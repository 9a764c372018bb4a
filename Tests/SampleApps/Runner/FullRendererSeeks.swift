import AVFoundation
import Synchronization

/// Seeks in a full renderer: SampleAppsRunner seeks, with the command `seek COUNT`.
///
/// Each seek drops what the renderer and the speaker hold and starts at another time; the next one follows when the renderer is
/// full again and the first audio of this one has played. That audio encodes the seek's number and the frame, so
/// the far end knows which seeks played, and from which frame on: of the first 22,050 frames of seek n the left sample
/// is n and the right sample counts from 1; the rest is noise of at least 8,192.
@MainActor
final class FullRendererSeeks: AppCommands {
    private static let patience = Duration.seconds(5)
    private static let fillPatience = Duration.seconds(30)
    /// Silence of requests for so long means full: not only until the next buffer was packed.
    private static let fullTime = Duration.milliseconds(100)

    private let synchronizer = AVSampleBufferRenderSynchronizer()
    private let renderer = AVSampleBufferAudioRenderer()
    private let queue = DispatchQueue(label: "seeks")
    private let source: MarkedNoise

    init() throws {
        source = try MarkedNoise()
        synchronizer.addRenderer(renderer)
    }

    func perform(_ command: String, _ rest: String) async throws {
        guard command == "seek", let count = Int(rest), (1...8000).contains(count) else {
            throw UsageError("seek COUNT, at most 8000")
        }
        var (asked, full) = (0, 0)
        for number in 1...count {
            let clock = ContinuousClock()
            let (start, target) = (clock.now, CMTime(value: CMTimeValue(number * 7919 % 3600), timescale: 1))
            seek(to: target, number)
            let isAsked = try await wait(Self.patience) { [source] in source.isAsked }
            let askedAfter = clock.now - start
            // Until the renderer is full again and the mark is over.
            let end = target + CMTime(value: 51, timescale: 100)
            var isFull = false
            if isAsked {
                isFull = try await wait(Self.fillPatience) {
                    [source, synchronizer, fullTime = Self.fullTime] in
                    source.isResting(for: fullTime) && synchronizer.currentTime() >= end
                }
            }
            (asked, full) = (asked + (isAsked ? 1 : 0), full + (isFull ? 1 : 0))
            report(
                "sought",
                [
                    "number": number, "asked": isAsked, "full": isFull,
                    "askedMs": askedAfter / .milliseconds(1),
                    "fullMs": (clock.now - start) / .milliseconds(1),
                ])
        }
        report("allSought", ["count": count, "asked": asked, "full": full])
    }

    private func seek(to target: CMTime, _ number: Int) {
        synchronizer.setRate(0, time: .invalid)
        renderer.stopRequestingMediaData()
        renderer.flush()
        source.prepare(at: target, number)
        synchronizer.setRate(1, time: target)
        renderer.requestMediaDataWhenReady(on: queue) { [renderer, source] in
            while renderer.isReadyForMoreMediaData, let buffer = source.next(number) {
                renderer.enqueue(buffer)
            }
        }
    }

    private func wait(_ limit: Duration, _ condition: @escaping @Sendable () -> Bool) async throws -> Bool {
        let end = ContinuousClock().now + limit
        while !condition() {
            guard ContinuousClock().now < end else { return false }
            try await Task.sleep(for: .milliseconds(1))
        }
        return true
    }
}

/// A second of marked audio, then endless noise. Any thread.
private final class MarkedNoise: Sendable {
    private struct State {
        var number = 0
        var second: CMTime = .zero
        var isFirst = true
        /// Time of the last request.
        var askedAt: ContinuousClock.Instant?
    }

    private static let rate = 44_100
    private static let markFrames = 22_050

    private let state = Mutex(State())
    private let format: CMFormatDescription
    private let noise: [Int16]

    init() throws {
        let layout = AudioStreamBasicDescription(
            mSampleRate: Double(Self.rate), mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
            mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0)
        format = try CMFormatDescription(audioStreamBasicDescription: layout)
        var seed: UInt64 = 1
        noise = (0..<Self.rate * 2).map { _ in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Int16(8192 + (seed >> 33) % 20_000)
            return seed >> 63 == 0 ? value : -value
        }
    }

    func prepare(at time: CMTime, _ number: Int) {
        state.withLock { $0 = State(number: number, second: time) }
    }

    /// Whether audio was requested since the last seek.
    var isAsked: Bool { state.withLock { $0.askedAt != nil } }

    /// Returns whether nothing was requested during the given time.
    func isResting(for time: Duration) -> Bool {
        let now = ContinuousClock().now
        return state.withLock { $0.askedAt.map { now - $0 >= time } ?? false }
    }

    /// - Returns: `nil` to the request block of an older seek.
    func next(_ number: Int) -> CMSampleBuffer? {
        let (second, isFirst): (CMTime?, Bool) = state.withLock { state in
            guard state.number == number else { return (nil, false) }
            defer { (state.second, state.isFirst) = (state.second + CMTime(value: 1, timescale: 1), false) }
            state.askedAt = ContinuousClock().now
            return (state.second, state.isFirst)
        }
        guard let second else { return nil }
        var samples = noise
        if isFirst {
            for frame in 0..<Self.markFrames {
                (samples[frame * 2], samples[frame * 2 + 1]) = (Int16(number), Int16(frame + 1))
            }
        }
        return try? buffer(samples, at: second)
    }

    private func buffer(_ samples: [Int16], at time: CMTime) throws -> CMSampleBuffer {
        let block = try CMBlockBuffer(length: samples.count * MemoryLayout<Int16>.size)
        try samples.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
        let timing = CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: CMTimeScale(Self.rate)), presentationTimeStamp: time,
            decodeTimeStamp: .invalid)
        return try CMSampleBuffer(
            dataBuffer: block, formatDescription: format, numSamples: samples.count / 2,
            sampleTimings: [timing], sampleSizes: [4])
    }
}
