import AirPlayReceiver
import Testing

@testable import tutti

@Suite("Underruns that are outages")
struct UnderrunWatchTests {
    private static func status(_ count: Int, isPlaying: Bool = true) -> SpeakerStatusLine {
        var stream = StreamStatus()
        (stream.underrunCount, stream.isPlaying) = (count, isPlaying)
        return SpeakerStatusLine(stream: stream)
    }

    @Test("sound that ran out while the sender plays on is an outage, told once")
    func outage() {
        let watch = UnderrunWatch()
        let looks = [0, 1, 1, 1].map { watch.look(Self.status($0)) != nil }
        #expect(looks == [false, false, true, false])
    }

    @Test("sound that ran out before a pause, or the end of a session, was all that there was")
    func end() {
        let watch = UnderrunWatch()
        _ = watch.look(Self.status(0))
        // The pause comes before the look that finds the underrun, or after it; the next track may play by then.
        watch.note(.playing(false))
        watch.note(.playing(true))
        #expect(watch.look(Self.status(1)) == nil && watch.look(Self.status(1)) == nil)
        #expect(watch.look(Self.status(2)) == nil)
        watch.note(.playing(false))
        #expect(watch.look(Self.status(2, isPlaying: false)) == nil)
        #expect(watch.look(Self.status(3, isPlaying: false)) == nil && watch.look(Self.status(3)) == nil)
    }
}
