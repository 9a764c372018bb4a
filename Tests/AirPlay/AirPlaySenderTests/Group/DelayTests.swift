import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Delays of single speakers", .timeLimit(.minutes(10)), .tags(.machine))
struct DelayTests {
    private static func delay(_ milliseconds: Double) throws -> SpeakerDelay {
        try #require(SpeakerDelay(milliseconds: milliseconds))
    }

    static let numbers: [(Double, Duration?)] = [
        (0, .zero), (120, .milliseconds(120)), (-120.5, .microseconds(-120_500)),
        (1000, .seconds(1)), (-1000, .seconds(-1)), (1000.1, nil), (-1001, nil), (.nan, nil),
        (.infinity, nil),
    ]

    @Test("a delay is a number of milliseconds within a second", arguments: numbers)
    func range(milliseconds: Double, duration: Duration?) {
        #expect(SpeakerDelay(milliseconds: milliseconds)?.duration == duration)
    }

    private static func run(_ delays: [Double]) throws -> PlanRun {
        var run = PlanRun(open: [PlanRun.a, PlanRun.b])
        for (index, delay) in delays.enumerated() {
            run.give(.delayed(MemberID(number: index + 1), try Self.delay(delay)))
        }
        return run
    }

    static let leads: [([Double], Duration)] = [
        ([0, 0], .milliseconds(100)), ([120, 0], .milliseconds(100)), ([-200, 0], .milliseconds(300)),
        ([-200, -700], .milliseconds(800)), ([-200, 700], .milliseconds(300)),
    ]

    @Test("the lead of a start covers the speaker that plays earliest", arguments: leads)
    func covers(delays: [Double], lead: Duration) throws {
        var run = try Self.run(delays)
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        #expect(run.started == [run.now.advanced(by: lead)])
    }

    static let ready: [(Double, Duration)] = [
        (0, .seconds(1)), (-300, .milliseconds(1300)), (300, .milliseconds(700)),
    ]

    @Test("no speaker is heard before its clock is ready", arguments: ready)
    func waits(delay: Double, start: Duration) throws {
        var run = try Self.run([delay, 0])
        let now = run.now
        run.ready[PlanRun.a] = .some(now.advanced(by: .seconds(1)))
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        #expect(run.started == [now.advanced(by: start)])
    }

    @Test("a change while the group plays lets only that speaker leave and rejoin the line")
    func change() throws {
        var run = PlanRun(open: [PlanRun.a, PlanRun.b])
        run.playing()
        let line = try #require(run.plan.line)
        run.wait(.seconds(5))
        run.give(.delayed(MemberID(number: 1), try Self.delay(-250)))
        #expect(run.requests.map(\.request) == [.stop])
        #expect(run.requests.map(\.id) == [PlanRun.a])
        run.answer(PlanRun.a)
        let start = try #require(run.starts.first)
        #expect(run.requests.count == 1 && start.id == PlanRun.a)
        #expect(start.line == line.advanced(to: run.now.advanced(by: .milliseconds(550))))
        run.answer(PlanRun.a, .start(.accepted))
        run.wait(.seconds(5))
        #expect(run.requests.isEmpty && run.plan.line == line)
        #expect(run.plan.playsCorrectly(PlanRun.a) && run.plan.playsCorrectly(PlanRun.b))
        // The same delay again changes nothing.
        run.give(.delayed(MemberID(number: 1), try Self.delay(-250)))
        #expect(run.requests.isEmpty)
    }

    @Test("a change while a start is under way, or in a pause, sends nothing but the next line")
    func changeAtRest() throws {
        var run = PlanRun(open: [PlanRun.a, PlanRun.b])
        run.give(.start(frame: 0, wanted: nil))
        let count = run.requests.count
        run.give(.delayed(MemberID(number: 1), try Self.delay(-250)))
        #expect(run.requests.count == count)
        run.prepareAll()
        #expect(run.started == [run.now.advanced(by: .milliseconds(350))])
        run.give(.stop(frame: 0))
        let paused = run.requests.count
        run.give(.delayed(MemberID(number: 1), try Self.delay(50)))
        #expect(run.requests.count == paused)
    }

    @Test("a speaker that joins with a negative delay begins far enough down the line")
    func join() throws {
        var run = PlanRun(open: [PlanRun.a])
        run.playing()
        let line = try #require(run.plan.line)
        run.wait(.seconds(3))
        run.give(.joined(MemberID(number: 2)))
        run.give(.delayed(MemberID(number: 2), try Self.delay(-400)))
        run.ready[PlanRun.b] = .some(run.now.advanced(by: .milliseconds(500)))
        run.open(PlanRun.b)
        let start = try #require(run.starts.first)
        // Its own line begins when its clock is ready: 500 ms from now.
        #expect(start.line == line.advanced(to: run.now.advanced(by: .milliseconds(900))))
    }

    @Test("the anchors of two speakers are their delays apart, and a change re-anchors one of them")
    func anchors() async throws {
        let stage = Stage([
            try FakeReceiver(.fast, name: "Kitchen", host: 1),
            try FakeReceiver(.fast, name: "Study", host: 2),
        ])
        stage.fill(2000)
        for receiver in stage.receivers { try await stage.wait(for: .waitingForClock, of: receiver) }
        stage.group.setDelay(try Self.delay(120), speaker: "Study")
        stage.start()
        for receiver in stage.receivers { try await stage.wait(for: .playing, of: receiver) }
        let (kitchen, study) = (stage.receivers[0], stage.receivers[1])
        let first = try #require(try await kitchen.wait(for: .anchor).anchor)
        let second = try #require(try await study.wait(for: .anchor).anchor)
        #expect(second.networkTime.nanoseconds - first.networkTime.nanoseconds == 120_000_000)
        stage.group.setDelay(try Self.delay(-80), speaker: "Study")
        let third = try #require(try await study.wait(for: .anchor, times: 2).anchor)
        // On the line of the first anchor, 80 ms early, at most a frame's rounding apart.
        let frames = third.rtpTime.frames(since: second.rtpTime)
        let expected = SampleRate.hz44100.nanoseconds(of: frames) - 80_000_000
        let found = third.networkTime.nanoseconds - first.networkTime.nanoseconds
        #expect(abs(found - expected) <= 22_676)
        #expect(kitchen.log.value.count(.anchor) == 1)
        #expect(kitchen.log.value.count(.pause) == 0 && study.log.value.count(.flush) == 0)
        await stage.group.close()
    }
}
