import Testing
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

@testable import AirPlaySender

@Suite("A session's view of a speaker's own clock")
struct LeaderLineTests {
    private static let identity = ClockIdentity(rawValue: 0x27)
    private static let start = HostTime(nanoseconds: 1_000_000_000_000)

    private static func after(_ seconds: Double) -> HostTime {
        start.advanced(by: .nanoseconds(Int64(seconds * 1e9)))
    }

    private static func leader(
        at seconds: Double, identity: ClockIdentity = identity, settled: Double? = nil, generation: Int = 0
    ) -> LeaderClock {
        LeaderClock(
            identity: identity,
            mapping: ClockMapping(
                host: after(seconds), network: NetworkTime(nanoseconds: Int64(seconds * 1e9)),
                rateRatio: 1 + 40e-6),
            generation: generation, settledSince: settled.map(after), lastHeard: after(seconds))
    }

    @Test("a session is ready once the speaker's clock is known well enough, and stays ready")
    func ready() {
        var line = LeaderLine(at: Self.start)
        #expect(line.readyTime == nil && line.state(at: Self.after(1)) == .waiting)
        #expect(line.stamp(at: Self.after(1)) == nil)
        line.update(Self.leader(at: 0.1))
        #expect(line.readyTime == nil && line.stamp(at: Self.after(1)) != nil)
        line.update(Self.leader(at: 0.5, settled: 0.4))
        #expect(line.readyTime == Self.after(0.4) && line.state(at: Self.after(1)) == .ready)
        line.update(Self.leader(at: 2, generation: 1))
        line.update(Self.leader(at: 3, settled: 2.5, generation: 1))
        #expect(line.readyTime == Self.after(0.4))
    }

    @Test(
        "the last line holds while a speaker is silent or its new clock is not measured, and that is reported"
    )
    func silent() {
        var line = LeaderLine(at: Self.start)
        line.update(Self.leader(at: 1, settled: 0.4))
        line.update(nil)
        #expect(
            line.stamp(at: Self.after(101))
                == ClockStamp(
                    time: NetworkTime(nanoseconds: 101_004_000_000), clock: Self.identity, generation: 0))
        #expect(line.state(at: Self.after(5.9)) == .ready && line.state(at: Self.after(6.1)) == .stalled)
        line.update(Self.leader(at: 7, identity: ClockIdentity(rawValue: 0x28), generation: 1))
        #expect(line.state(at: Self.after(7)) == .ready)
        #expect(line.stamp(at: Self.after(7))?.clock == ClockIdentity(rawValue: 0x28))
    }

    @Test("a speaker whose clock is never heard is reported")
    func unheard() {
        let line = LeaderLine(at: Self.start)
        #expect(line.state(at: Self.after(4.9)) == .waiting && line.state(at: Self.after(5.1)) == .stalled)
    }

    @Test("the end of a session releases the speaker, then its clock")
    func ends() {
        let (clock, peer) = (FakeClock(), IPAddress(192, 0, 2, 27))
        let following = LeaderFollowing(clock, peer: peer, time: ManualClock(at: Self.start))
        #expect(following.readyTime == nil)
        clock.setLeader(Self.leader(at: 0.5, settled: 0.4), at: peer)
        #expect(following.readyTime == Self.after(0.4))
        #expect(following.stamp(at: Self.after(0.5))?.clock == Self.identity)
        following.end()
        #expect(clock.calls == [.remove(peer), .endYield(peer)])
    }
}
