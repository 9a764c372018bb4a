import AVFoundation
import Synchronization
import Testing
import TuttiRouteTestSupport

/// A source that tells when it has been asked for more than it has.
private final class CountedSource: SampleSource, @unchecked Sendable {
    // Safe to share: the player asks on its own serial queue only; the rest is immutable or locked.
    private let tone: ToneSource
    private let ends = Mutex((count: 0, waiting: [CheckedContinuation<Void, Never>]()))

    init(seconds: Double) throws { tone = try ToneSource(frequency: 440, seconds: seconds) }

    func prepare(at time: CMTime) { tone.prepare(at: time) }

    func nextSampleBuffer() -> CMSampleBuffer? {
        if let buffer = tone.nextSampleBuffer() { return buffer }
        let waiting = ends.withLock { ends in
            ends.count += 1
            defer { ends.waiting = [] }
            return ends.waiting
        }
        for waiter in waiting { waiter.resume() }
        return nil
    }

    var endCount: Int { ends.withLock { $0.count } }

    func hasEnded() async {
        await withCheckedContinuation { continuation in
            let isThere = ends.withLock { ends in
                if ends.count == 0 { ends.waiting.append(continuation) }
                return ends.count > 0
            }
            if isThere { continuation.resume() }
        }
    }
}

@Suite("The sample programs run on the silent route")
struct SampleAppTests {
    init() { _ = SharedCatalogue.isSilent }

    @Test("the unconditional loop ends at the end of the data")
    func flexibleBuffering() async throws {
        let source = try CountedSource(seconds: 2.5)
        let player = FlexibleBufferingPlayer(source: source)
        player.start()
        await source.hasEnded()
        // The block has returned when this runs on the same queue.
        await withCheckedContinuation { continuation in player.queue.async { continuation.resume() } }
        #expect(source.endCount == 1)
        #expect(player.renderer.status == .rendering)
        #expect(player.synchronizer.rate == 1)
        #expect(CMTimebaseGetRate(player.synchronizer.timebase) == 1)
        player.pause()
    }

    @Test("a seek plays from its position")
    func seeking() async throws {
        let source = try CountedSource(seconds: 62)
        let player = SeekingPlayer(source: source)
        player.jump(to: CMTime(value: 60, timescale: 1))
        await source.hasEnded()
        #expect(await player.replaceAndWait(from: .zero) == false)
    }

    @Test("packets carry their trims")
    func packets() throws {
        let wrapper = try PacketWrapper(aacSampleRate: 44_100, channels: 2, cookie: nil)
        let buffer = try wrapper.makeBuffer(
            packets: [Data([1, 2]), Data([3])], at: .zero, rate: 44_100,
            trimStart: CMTime(value: 1024, timescale: 44_100), trimEnd: CMTime(value: 24, timescale: 44_100))
        #expect(buffer.outputPresentationTimeStamp == CMTime(value: 1024, timescale: 44_100))
        #expect(buffer.outputDuration == CMTime(value: 1000, timescale: 44_100))
    }

    @Test("audio and video follow one timeline, and the video is removed from it")
    func audioAndVideo() async throws {
        let player = AudioVideoPlayer()
        let sink = CountingSink()
        player.displayLayer.tuttiFrameSink = sink
        player.play(audio: try ToneSource(frequency: 440, seconds: 2), video: PictureSource(count: 3))
        // All pictures are due at the start, as a picture is due from its time on.
        await sink.showed()
        #expect(abs(player.drift) < 1)
        player.stopVideo(at: .zero)
        #expect(player.displayLayer.timebase.rate == 1)
        await sink.removed()
        #expect(!player.displayLayer.isReadyForDisplay)
    }
}

/// Pictures of a thousandth of a second from time 0 on.
private final class PictureSource: SampleSource, Sendable {
    private let left: Mutex<Int>
    private let count: Int

    init(count: Int) {
        self.count = count
        left = Mutex(count)
    }

    func prepare(at time: CMTime) {}

    func nextSampleBuffer() -> CMSampleBuffer? {
        let number = left.withLock { left -> Int? in
            guard left > 0 else { return nil }
            left -= 1
            return count - left - 1
        }
        guard let number else { return nil }
        let timing = CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: 1000),
            presentationTimeStamp: CMTime(value: CMTimeValue(number), timescale: 1000),
            decodeTimeStamp: .invalid)
        return try? CMSampleBuffer(
            dataBuffer: CMBlockBuffer(length: 10),
            formatDescription: CMFormatDescription(videoCodecType: .h264, width: 640, height: 360),
            numSamples: 1, sampleTimings: [timing], sampleSizes: [10])
    }
}

/// Tells when the first picture was shown, and when it was removed.
private final class CountingSink: TuttiVideoFrameSink {
    private let (shows, show) = AsyncStream<Void>.makeStream()
    private let (removals, removal) = AsyncStream<Void>.makeStream()

    func show(_ frame: CMSampleBuffer) { show.yield() }
    func removeImage() { removal.yield() }

    func showed() async { for await _ in shows { return } }
    func removed() async { for await _ in removals { return } }
}
