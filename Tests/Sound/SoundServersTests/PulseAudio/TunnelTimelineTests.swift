import Testing
import TuttiMediaTime

@testable import TuttiSoundServers

@Suite struct TunnelTimelineTests {
    private let start = HostTime(nanoseconds: 1_000_000_000)
    private func time(_ milliseconds: Int) -> HostTime { start.advanced(by: .milliseconds(milliseconds)) }

    @Test("a tunnel is asked for sound at the pace of the clock, 30 ms ahead")
    func pace() {
        var timeline = TunnelTimeline(rate: .hz48000, latency: .milliseconds(500))
        timeline.start(at: start)
        #expect(timeline.request(at: start) == 1_440)
        #expect(timeline.request(at: time(5)) == 0)
        #expect(timeline.request(at: time(10)) == 480)
        #expect(timeline.receive(1_920, at: time(11)) == start.advanced(by: .milliseconds(500)))
        for step in 2...1_000 {
            #expect(timeline.request(at: time(10 * step)) == 480)
            #expect(timeline.receive(480, at: time(10 * step + 1)) == time(10 * step + 20 + 500))
        }
    }

    @Test("sound that is late by less than half of the latency is heard as if it were in time")
    func late() {
        var timeline = TunnelTimeline(rate: .hz48000, latency: .milliseconds(500))
        timeline.start(at: start)
        _ = timeline.request(at: start)
        #expect(timeline.request(at: time(240)) > 0)
        #expect(timeline.receive(1_440, at: time(245)) == time(500))
        #expect(timeline.isRunning)
    }

    @Test("a tunnel that stops sending stops the device, and the next sound starts it")
    func starved() {
        var timeline = TunnelTimeline(rate: .hz48000, latency: .milliseconds(500))
        timeline.start(at: start)
        var asked: Int64 = 0
        for step in 0...60_000 { asked += timeline.request(at: time(10 * step)) }
        // The sound that was asked for stays small, however long the tunnel is silent.
        #expect(asked <= 48 * 300)
        #expect(!timeline.isRunning)
        #expect(timeline.receive(480, at: time(700_000)) == time(700_500))
        #expect(timeline.isRunning)
    }

    @Test("a side that asks late asks again: a little late on the same line, very late on a new one")
    func askedLate() {
        var timeline = TunnelTimeline(rate: .hz48000, latency: .milliseconds(100))
        timeline.start(at: start)
        #expect(timeline.receive(timeline.request(at: start), at: time(1)) == time(100))
        let late = timeline.request(at: time(70))
        #expect(late == 70 * 48)
        #expect(timeline.receive(late, at: time(71)) == time(130))
        let veryLate = timeline.request(at: time(3_600_000))
        #expect(veryLate == 1_440)
        #expect(timeline.receive(veryLate, at: time(3_600_001)) == time(3_600_100))
    }

    @Test("a paused device continues with the next frame, and none is lost on the way")
    func pause() {
        var timeline = TunnelTimeline(rate: .hz48000, latency: .milliseconds(100))
        timeline.start(at: start)
        #expect(timeline.request(at: start) == 1_440)
        #expect(timeline.receive(960, at: time(1)) == time(100))
        timeline.stop(at: time(2))
        #expect(timeline.request(at: time(1_000)) == 0)
        // On its way when the device stopped.
        #expect(timeline.receive(480, at: time(3)) != nil)
        timeline.start(at: time(5_000))
        let asked = timeline.request(at: time(5_000))
        #expect(asked == 1_440)
        #expect(timeline.receive(asked, at: time(5_001)) == time(5_100))
    }

    @Test("more than was asked for is refused")
    func flood() {
        var timeline = TunnelTimeline(rate: .hz48000, latency: .milliseconds(100))
        #expect(timeline.receive(1, at: start) == nil)
        timeline.start(at: start)
        _ = timeline.request(at: start)
        #expect(timeline.receive(1_441, at: start) == nil)
        #expect(timeline.receive(1_440, at: start) != nil)
        #expect(timeline.receive(1, at: start) == nil)
        #expect(timeline.receive(-1, at: start) == nil)
    }
}
