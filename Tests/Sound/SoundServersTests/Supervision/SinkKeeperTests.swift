import Testing
import TuttiMediaTime

@testable import TuttiSoundServers

@Suite struct SinkKeeperTests {
    @Test(
        "a sink tells the latency of the slowest speaker with a room's longest delay, and none beyond 4 s",
        arguments: [(2_850, 2_850), (3_850, 3_850), (5_000, 4_000), (0, 100)])
    func latency(wanted: Int, told: Int) {
        #expect(SinkKeeper.clamped(.milliseconds(wanted)) == .milliseconds(told))
    }

    @Test("sound in a tunnel of 4 s is heard 4 s later, and may be late by half a second")
    func longTunnel() {
        let start = HostTime(nanoseconds: 1_000_000_000)
        var timeline = TunnelTimeline(rate: .hz48000, latency: .milliseconds(4_000))
        timeline.start(at: start)
        #expect(timeline.request(at: start) == 1_440)
        #expect(timeline.request(at: start.advanced(by: .milliseconds(490))) > 0)
        #expect(timeline.receive(1_440, at: start) == start.advanced(by: .milliseconds(4_000)))
    }
}
