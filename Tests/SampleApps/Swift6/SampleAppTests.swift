import AVFoundation
import Playback
import Synchronization
import Testing

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
    init() { RouteCatalogue.shared.selectNothing() }

    @Test("the loop without a break ends at the end of the data")
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

    @Test("a jump plays from there")
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
}
