import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import TuttiClockService

@Suite("A followed clock, from pairs of times")
struct FollowedClockTests {
    private func nearClock(driftPPM: Double) -> SimulatedClock {
        var clock = SimulatedClock(driftPPM: driftPPM)
        clock.there = .init(delay: .microseconds(12), jitter: .microseconds(4))
        clock.back = .init(delay: .microseconds(12), jitter: .microseconds(4))
        return clock
    }

    @Test(
        "on one machine: at once, within 10 µs, the rate within 0.1 ppm after a minute, no steps",
        arguments: [0, 40.0, -40])
    func loopback(driftPPM: Double) throws {
        var clock = nearClock(driftPPM: driftPPM)
        clock.run(for: .seconds(60))
        #expect(try #require(clock.usableAfter) < .milliseconds(1))
        #expect(clock.worstError(since: 0) < 50_000)
        #expect(clock.worstError(since: 3) < 5_000)
        let mapping = try #require(clock.followed.mapping(at: clock.now))
        #expect(abs((mapping.rateRatio - 1) * 1e6 - driftPPM) < 0.1)
        #expect(clock.worstStep <= 1_000)
        clock.run(for: .seconds(120))
        #expect(clock.worstError(since: 60) < 2_000)
        #expect(abs(clock.followed.drift * 1e6 - driftPPM) < 0.02)
    }

    /// Delay and jitter of both directions in µs, loss, drift; errors allowed after 5 s and after 60 s in µs.
    static let links: [(String, SimulatedClock.Way, SimulatedClock.Way, Double, Double, Double, Double)] = [
        (
            "a wired network", .init(delay: .microseconds(150), jitter: .microseconds(20)),
            .init(delay: .microseconds(150), jitter: .microseconds(20)), 0.0, 25, 40, 5
        ),
        (
            "wireless", .init(delay: .milliseconds(2), jitter: .milliseconds(1)),
            .init(delay: .milliseconds(2), jitter: .milliseconds(1)), 0.1, -40, 250, 50
        ),
        (
            "queues one way", .init(delay: .milliseconds(1), jitter: .milliseconds(3)),
            .init(delay: .milliseconds(1), jitter: .microseconds(100)), 0.1, 40, 300, 80
        ),
        (
            "queues the other way", .init(delay: .milliseconds(1), jitter: .microseconds(100)),
            .init(delay: .milliseconds(1), jitter: .milliseconds(3)), 0.1, 40, 300, 80
        ),
    ]

    @Test("networks with delay and jitter stay within their tolerance", arguments: links)
    func network(
        name: String, there: SimulatedClock.Way, back: SimulatedClock.Way, loss: Double, driftPPM: Double,
        soon: Double, later: Double
    ) {
        var clock = SimulatedClock(driftPPM: driftPPM)
        (clock.there, clock.back, clock.loss) = (there, back, loss)
        clock.run(for: .seconds(300))
        #expect(clock.worstError(since: 5) < soon * 1000)
        #expect(clock.worstError(since: 60) < later * 1000)
        #expect(clock.worstStep <= 1_000)
        #expect(clock.followed.restartCount == 0)
    }

    /// Seconds of a good network, then of a bad one, in which the clock may be new.
    @Test(
        "some seconds of a bad network are forgotten soon after",
        arguments: [(0.0, 1.0), (4, 12), (20, 5), (0, 24)],
        [-60.0, 60])
    func badSeconds(_ seconds: (good: Double, bad: Double), driftPPM: Double) {
        for seed in 1...5 as ClosedRange<UInt64> {
            var clock = SimulatedClock(driftPPM: driftPPM, seed: seed)
            let good = SimulatedClock.Way(delay: .microseconds(300), jitter: .microseconds(30))
            (clock.there, clock.back) = (good, good)
            clock.run(for: .seconds(seconds.good))
            let bad = SimulatedClock.Way(delay: .milliseconds(20), jitter: .milliseconds(20))
            (clock.there, clock.back) = (bad, bad)
            clock.run(for: .seconds(seconds.bad))
            (clock.there, clock.back) = (good, good)
            clock.run(for: .seconds(15))
            #expect(abs(clock.error) < 150_000, "\(seconds), seed \(seed)")
        }
    }

    /// A silence, and the messages behind it, which a busy link makes late.
    struct BusyLink: Sendable {
        var before: Duration
        var silence: Duration
        var late: SimulatedClock.Way
        var lateFor: Duration
    }

    @Test(
        "after a silence the line does not follow messages that a busy link makes late, the first ones or all for longer than the window",
        arguments: [
            BusyLink(
                before: .seconds(20), silence: .seconds(20),
                late: .init(delay: .milliseconds(8), jitter: .milliseconds(4)), lateFor: .milliseconds(1500)),
            BusyLink(
                before: .seconds(60), silence: .seconds(10),
                late: .init(delay: .milliseconds(3), jitter: .milliseconds(1)), lateFor: .seconds(14)),
        ], [-60.0, 60])
    func lateAfterSilence(link: BusyLink, driftPPM: Double) {
        let good = SimulatedClock.Way(delay: .microseconds(300), jitter: .microseconds(30))
        var clock = SimulatedClock(driftPPM: driftPPM)
        (clock.there, clock.back) = (good, good)
        clock.run(for: link.before)
        clock.isSilent = true
        clock.run(for: link.silence)
        clock.isSilent = false
        clock.there = link.late
        clock.run(for: link.lateFor)
        clock.there = good
        clock.run(for: .seconds(10))
        #expect(clock.worstError(since: (link.before + link.silence).inSeconds - 1) < 50_000)
    }

    @Test("a clock met behind a queue is soon known when the queue is gone")
    func queueAtTheStart() {
        var clock = SimulatedClock(driftPPM: 30)
        clock.there = SimulatedClock.Way(delay: .milliseconds(120), jitter: .milliseconds(10))
        clock.back = SimulatedClock.Way(delay: .microseconds(300), jitter: .microseconds(30))
        clock.run(for: .seconds(5))
        clock.there = clock.back
        clock.run(for: .seconds(5))
        #expect(abs(clock.error) < 100_000)
    }

    @Test("a queue in one direction does not make an old line step, nor follow fast")
    func queueLater() {
        var clock = SimulatedClock(driftPPM: 30)
        let good = SimulatedClock.Way(delay: .microseconds(300), jitter: .microseconds(30))
        (clock.there, clock.back) = (good, good)
        clock.run(for: .seconds(60))
        clock.there = SimulatedClock.Way(delay: .milliseconds(12), jitter: .milliseconds(1))
        clock.run(for: .seconds(30))
        clock.there = good
        clock.run(for: .seconds(30))
        #expect(clock.followed.restartCount == 0)
        #expect(clock.worstError(since: 20) < 1_200_000)
        #expect(abs(clock.error) < 100_000)
    }

    @Test("samples seconds apart, as of NTP, count for the window and no longer")
    func rareSamples() {
        var envelope = OffsetEnvelope(.lower)
        for second in stride(from: 0, through: 60, by: 3) as StrideThrough<Int64> {
            // The old ones seem better, as with a drift that is a little off.
            _ = envelope.insert(second < 30 ? 1000 : 0, at: second * 1_000_000_000, drift: 0)
        }
        #expect(envelope.level(at: 60, since: 44, drift: 0) == 0)
    }

    @Test("a queue that comes while a clock is met, as of the sound that fills a speaker, moves it little")
    func queueWhileMet() {
        var clock = nearClock(driftPPM: 20)
        let quick = clock.there
        clock.run(for: .milliseconds(40))
        clock.there = .init(delay: .milliseconds(6), jitter: .milliseconds(2))
        clock.run(for: .seconds(8))
        clock.there = quick
        clock.run(for: .seconds(20))
        #expect(clock.worstError(since: 0) < 250_000)
        #expect(clock.worstError(since: 12) < 50_000)
    }

    @Test("a rate that was wrong behind much traffic is right some seconds after it", arguments: [-95.0, 80])
    func rateBehindTraffic(driftPPM: Double) {
        var clock = SimulatedClock(driftPPM: driftPPM)
        clock.there = .init(delay: .milliseconds(1), jitter: .milliseconds(1))
        clock.back = clock.there
        clock.run(for: .seconds(2))
        clock.there.jitter = .milliseconds(30)
        clock.back.jitter = .milliseconds(30)
        clock.run(for: .seconds(16))
        clock.there = .init(delay: .microseconds(200), jitter: .microseconds(10))
        clock.back = clock.there
        clock.run(for: .seconds(6))
        #expect(abs(clock.followed.drift * 1e6 - driftPPM) < 3)
        clock.run(for: .seconds(10))
        #expect(clock.worstError(since: 30) < 200_000)
    }

    @Test("a queue one way takes nothing of the rate that the messages the other way show")
    func rateBehindQueue() {
        var clock = SimulatedClock(driftPPM: 43)
        let quick = SimulatedClock.Way(delay: .microseconds(300), jitter: .microseconds(15))
        (clock.there, clock.back) = (quick, quick)
        clock.run(for: .milliseconds(500))
        clock.isSilent = true
        clock.run(for: .seconds(17))
        clock.isSilent = false
        clock.run(for: .seconds(1))
        clock.there = .init(delay: .milliseconds(8), jitter: .milliseconds(4))
        for _ in 0..<10 {
            clock.run(for: .seconds(1))
            #expect(abs(clock.followed.drift * 1e6 - 43) < 2)
        }
    }

    /// Jitter of the quiet seconds, µs; errors allowed, µs and ppm.
    @Test(
        "a rate that changes for minutes is followed, also where half of the time is full of traffic",
        arguments: [(10.0, 60.0, 1.5), (40, 85, 2)], [-3.0, 3])
    func changingRate(link: (jitter: Double, error: Double, rate: Double), ppmPerMinute: Double) {
        for seed in 1...3 as ClosedRange<UInt64> {
            var clock = SimulatedClock(driftPPM: 40, seed: seed)
            let quiet = SimulatedClock.Way(delay: .microseconds(300), jitter: .microseconds(link.jitter))
            let busy = SimulatedClock.Way(delay: .microseconds(300), jitter: .milliseconds(30))
            (clock.there, clock.back) = (quiet, quiet)
            clock.run(for: .seconds(60))
            for _ in 0..<5 {
                (clock.there, clock.back) = (busy, busy)
                clock.warm(for: 15, ppmPerMinute: ppmPerMinute)
                (clock.there, clock.back) = (quiet, quiet)
                clock.warm(for: 15, ppmPerMinute: ppmPerMinute)
            }
            #expect(clock.worstError(since: 60) < link.error * 1000)
            #expect(abs(clock.followed.drift * 1e6 - clock.driftPPM) < link.rate)
        }
    }

    @Test("occasional timestamp errors of up to 2 ms are rejected")
    func wrongStamps() {
        var clock = nearClock(driftPPM: 20)
        clock.wrongStamps = 0.01
        clock.run(for: .seconds(120))
        #expect(clock.worstError(since: 40) < 30_000)
        #expect(clock.worstStep <= 1_000)
        #expect(clock.followed.restartCount == 0)
    }

    @Test(
        "during minutes of silence the line continues, and nothing jumps when the clock is back",
        arguments: [-40.0, 40])
    func silence(driftPPM: Double) {
        var clock = nearClock(driftPPM: driftPPM)
        clock.run(for: .seconds(90))
        clock.isSilent = true
        clock.run(for: .seconds(600))
        #expect(abs(clock.error) < 60_000)
        clock.isSilent = false
        clock.run(for: .seconds(60))
        #expect(abs(clock.error) < 2_000)
        #expect(clock.worstStep <= 1_000)
        #expect(clock.followed.restartCount == 0)
    }

    @Test(
        "the line says how uncertain it is: more when its rate is new; a correction under way is not uncertain"
    )
    func uncertainty() throws {
        func uncertainty(_ clock: SimulatedClock) -> Double {
            (clock.followed.mapping(at: clock.now)?.uncertainty.inSeconds ?? .infinity) * 1e9
        }
        for driftPPM in [-40.0, 0, 40] {
            for jitter in [4, 20] {
                var clock = nearClock(driftPPM: driftPPM)
                (clock.there.jitter, clock.back.jitter) = (.microseconds(jitter), .microseconds(jitter))
                clock.run(for: .milliseconds(200))
                #expect((25_000...60_000).contains(uncertainty(clock)))
                clock.run(for: .milliseconds(400))
                clock.isSilent = true
                clock.run(for: .seconds(4))
                #expect(clock.error.magnitude <= uncertainty(clock) * 2 + 10_000)
                #expect((40_000...120_000).contains(uncertainty(clock)))
                clock.isSilent = false
                clock.run(for: .milliseconds(150))
                #expect(uncertainty(clock) < 2_000)
                let slew = try #require(clock.followed.mapping(at: clock.now)).slew
                #expect(clock.error.magnitude < 10_000 || slew * clock.error < 0)
                clock.run(for: .seconds(60))
                #expect(uncertainty(clock) < 2_000)
                clock.isSilent = true
                clock.run(for: .seconds(4))
                #expect(uncertainty(clock) < 2_000)
            }
        }
    }

    @Test(
        "a clock that is stepped in either direction is measured again",
        arguments: [5_000_000, -5_000_000, 3_600_000_000_000, -3_600_000_000_000] as [Int64])
    func set(step: Int64) {
        var clock = nearClock(driftPPM: 10)
        clock.run(for: .seconds(30))
        clock.step(by: step)
        clock.run(for: .seconds(5))
        #expect(clock.followed.restartCount == 1)
        #expect(abs(clock.followed.drift * 1e6 - 10) < 1)
        #expect(abs(clock.error) < 10_000)
    }

    @Test(
        "without answers the path counts as zero, and a stepped clock is found all the same",
        arguments: [30_000_000, -30_000_000] as [Int64])
    func oneWay(step: Int64) throws {
        var clock = nearClock(driftPPM: 10)
        clock.there.delay = .milliseconds(3)
        clock.answers = false
        clock.run(for: .seconds(60))
        #expect(try #require(clock.usableAfter) < .milliseconds(400))
        #expect(clock.followed.pathDelay == nil)
        #expect(abs(clock.error + 3_000_000) < 20_000)
        clock.step(by: step)
        clock.run(for: .seconds(10))
        #expect(abs(clock.error + 3_000_000) < 20_000)
    }

    @Test("one exchange in both directions suffices")
    func first() throws {
        var clock = FollowedClock()
        let now = HostTime(nanoseconds: 1_000_000)
        #expect(clock.mapping(at: now) == nil)
        clock.receive(departure: NetworkTime(nanoseconds: 500), arrival: now)
        #expect(clock.mapping(at: now) == nil)
        clock.receive(
            departure: now, arrival: NetworkTime(nanoseconds: 100_500),
            answeredAt: now.advanced(by: .microseconds(100)))
        let mapping = try #require(clock.mapping(at: now))
        #expect(mapping.networkTime(at: now).nanoseconds == 50_500)
        #expect(clock.pathDelay == .microseconds(50))
    }

    @Test("a clock that drifts for an hour over wireless is tracked")
    func hour() {
        var clock = SimulatedClock(driftPPM: 37)
        clock.there = .init(delay: .milliseconds(1), jitter: .microseconds(300))
        clock.back = .init(delay: .milliseconds(1), jitter: .microseconds(300))
        clock.loss = 0.1
        clock.run(for: .seconds(3600))
        #expect(clock.worstError(since: 60) < 40_000)
        #expect(clock.worstStep <= 1_000)
        #expect(abs(clock.followed.drift * 1e6 - 37) < 0.2)
    }

    @Test("times at the limits of the range do not trap")
    func extremes() {
        var generator = SeededGenerator(seed: 3)
        var clock = FollowedClock()
        let times: [Int64] = [.min, .max, 0, -1, 1, 1 << 62, -(1 << 62), 1_000_000_000]
        for round in 0..<20_000 {
            let host = HostTime(nanoseconds: Int64(round) * 10_000_000)
            let network = NetworkTime(
                nanoseconds: round % 3 == 0
                    ? .random(in: .min ... .max, using: &generator)
                    : times[Int.random(in: times.indices, using: &generator)])
            if round % 2 == 0 {
                clock.receive(departure: network, arrival: host)
            } else {
                clock.receive(departure: host, arrival: network, answeredAt: host)
            }
            let mapping = clock.mapping(at: host)
            #expect(mapping.map { (0.99...1.01).contains($0.rateRatio) } ?? true)
        }
    }
}
