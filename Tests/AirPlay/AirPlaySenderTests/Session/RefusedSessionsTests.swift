import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Refused sessions and retries", .timeLimit(.minutes(10)), .tags(.machine))
struct RefusedSessionsTests {
    /// With the number of control connections: a wrong password is followed by another attempt without it.
    static let lasting: [(String, FakeReceiver.Situation, password: String?, SpeakerFailure.Code, Int)] = [
        ("password unknown", .needsPassword("x"), nil, .passwordNeeded, 1),
        ("password wrong", .needsPassword("x"), "y", .passwordWrong, 2),
        ("password not announced", hidden("x"), nil, .passwordNeeded, 1),
        ("access limited", .rejectsPairing(.unavailable), nil, .forbidden, 1),
        ("not RTSP", .answersWithGarbage, nil, .notASpeaker, 1),
    ]

    private static func hidden(_ password: String) -> FakeReceiver.Situation {
        var situation = FakeReceiver.Situation.needsPassword(password)
        situation.showsPassword = false
        return situation
    }

    @Test("a failure that only the user can resolve is not retried", arguments: lasting.indices)
    func isFinal(index: Int) async throws {
        let (name, situation, password, code, connections) = Self.lasting[index]
        let stage = try Stage(situation, password: password)
        let failure = try await stage.waitForFailure()
        #expect(failure.code == code, "\(name): \(failure)")
        #expect(failure.message.contains("Kitchen"))
        await stage.group.waitForEndOfAttempts()
        #expect(stage.receiver.log.value.controlConnections == connections, "\(name)")
        await stage.group.close()
    }

    @Test("the right password opens the session")
    func password() async throws {
        let stage = try Stage(.needsPassword("x"), password: "x")
        try await stage.wait(for: .waitingForClock)
        await stage.group.close()
    }

    @Test("a password that the speaker does not need is no obstacle: the session opens without it")
    func needlessPassword() async throws {
        let stage = try Stage(.standard, password: "y")
        try await stage.wait(for: .waitingForClock)
        #expect(stage.receiver.log.value.controlConnections == 2)
        await stage.group.close()
    }

    static let passing: [(String, FakeReceiver.Situation, SpeakerFailure.Code)] = [
        ("busy", .busy453, .busy),
        ("no event port", .noEventPort, .refused),
        ("no data port", .noDataPort, .refused),
        ("pairing busy", .rejectsPairing(.busy), .refused),
        ("pairing backs off", .rejectsPairing(.backOff(seconds: 0)), .refused),
    ]

    @Test("a temporary refusal is retried until the session opens", arguments: passing.indices)
    func isTriedAgain(index: Int) async throws {
        let (name, situation, code) = Self.passing[index]
        let stage = try Stage(situation)
        let failure = try await stage.waitForFailure()
        #expect(failure.code == code, "\(name): \(failure)")
        stage.receiver.change { $0 = .standard }
        try await stage.wait(for: .waitingForClock)
        #expect(stage.receiver.log.value.controlConnections >= 2)
        await stage.group.close()
    }

    @Test("a short back-off that the speaker requests is waited out without reporting a failure")
    func backOff() async throws {
        let stage = try Stage(.rejectsPairing(.backOff(seconds: 0), times: 1))
        try await stage.wait(for: .waitingForClock)
        #expect(
            !stage.events.value.contains { if case .state(_, .lost) = $0 { true } else { false } })
        await stage.group.close()
    }

    @Test("a speaker that is too busy to pair is reported with the retry delay that it requests")
    func busyPairing() async throws {
        var timing = Stage.timing
        timing.retryPatience = .zero
        var situation = FakeReceiver.Situation.standard
        situation.pairsInSeconds = 400
        let stage = Stage([try FakeReceiver(situation)], timing: timing)
        let failure = try await stage.waitForFailure()
        #expect(
            failure.message
                == "too many senders want to pair with Kitchen at the moment; it can be tried again in 400 s")
        #expect(failure.retryDelay == .seconds(400) && failure.code == .refused)
        // The failure is temporary, so audio that still plays is not given up.
        #expect(failure.isPassing && !SpeakerFailure(.refused, "no").isPassing)
        await stage.group.close()
    }

    @Test("retry pauses grow while no session lasts, and are reset by one that does")
    func pauses() {
        let timing = SenderTiming()
        var pauses = RetryPauses(timing)
        var waits: [Duration] = []
        for _ in 0..<8 {
            pauses.sessionEnded(after: .seconds(1))
            waits.append(pauses.next(isPlayingOn: false, isOutOfReach: false, retryDelay: nil))
        }
        #expect(waits.prefix(4) == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)])
        #expect(waits.last == timing.longestPause)
        pauses.sessionEnded(after: .seconds(60))
        let anew = pauses.next(isPlayingOn: false, isOutOfReach: false, retryDelay: nil)
        #expect(anew == timing.firstPause)
        // A link that breaks after a while is retried at once; a link that drops each connection backs off.
        pauses.sessionEnded(after: .seconds(60))
        let atOnce = pauses.next(isPlayingOn: true, isOutOfReach: false, retryDelay: nil)
        #expect(atOnce == timing.reachPause)
        var dropped = Duration.zero
        for _ in 0..<8 {
            pauses.sessionEnded(after: .seconds(1))
            dropped += pauses.next(isPlayingOn: true, isOutOfReach: false, retryDelay: nil)
        }
        #expect(dropped > .seconds(15))
        let named = pauses.next(isPlayingOn: true, isOutOfReach: true, retryDelay: .seconds(5))
        #expect(named == .seconds(5))
    }

    /// The next step after each end of an attempt or of a session.
    private static let ends: [(String, SpeakerFailure, hadSession: Bool, SessionAttempts.Next)] = [
        ("out of reach", SpeakerFailure(.unreachable, "x"), false, .retry(after: .milliseconds(500))),
        ("lost", SpeakerFailure(.lost, "x", isOrderly: true), true, .retry(after: .milliseconds(500))),
        (
            "told a time", SpeakerFailure(.refused, "x", retryDelay: .seconds(400)), false,
            .retry(after: .seconds(400))
        ),
        ("busy at first", SpeakerFailure(.busy, "x"), false, .retry(after: .milliseconds(500))),
        ("taken by another sender", SpeakerFailure(.busy, "x"), true, .waitForRecall),
        ("wrong password", SpeakerFailure(.passwordWrong, "x"), false, .abandon),
        ("unsupported", SpeakerFailure(.unsupported, "x"), true, .abandon),
        ("a port that another program has", SpeakerFailure(.noClock, "x"), false, .waitForRecall),
    ]

    @Test("the cause of a failure decides whether and when the next attempt follows", arguments: ends.indices)
    func next(index: Int) {
        let (name, failure, hadSession, next) = Self.ends[index]
        var attempts = SessionAttempts(SenderTiming())
        if hadSession { attempts.sessionOpened() }
        #expect(attempts.attemptFailed(failure) == nil, "\(name)")
        #expect(attempts.next(after: failure, isPlayingOn: false) == next, "\(name)")
        #expect(attempts.wasUnreachable == (failure.code == .unreachable), "\(name)")
    }

    @Test("a short delay that a speaker requests is waited out without a failure, once per session")
    func quietDelay() {
        let failure = SpeakerFailure(.refused, "x", retryDelay: .seconds(1))
        var attempts = SessionAttempts(SenderTiming())
        #expect(attempts.attemptFailed(failure) == .seconds(1))
        #expect(attempts.attemptFailed(failure) == nil)
        attempts.sessionOpened()
        #expect(attempts.attemptFailed(failure) == .seconds(1))
    }

    @Test("a speaker that dropped our session is left to other senders until the user plays again")
    func dropped() {
        var attempts = SessionAttempts(SenderTiming())
        attempts.sessionOpened()
        attempts.sessionEnded(SpeakerFailure(.lost, "x"), after: .seconds(20))
        #expect(attempts.wasDropped)
        attempts.recall()
        #expect(!attempts.wasDropped)
    }

    @Test("a speaker that ends a second session at once is another sender's")
    func contested() {
        let lost = SpeakerFailure(.lost, "x")
        var attempts = SessionAttempts(SenderTiming())
        attempts.sessionEnded(lost, after: .seconds(1))
        #expect(!attempts.isContested)
        attempts.sessionEnded(lost, after: .seconds(6))
        #expect(!attempts.isContested)
        attempts.sessionEnded(lost, after: .seconds(2))
        #expect(attempts.isContested)
        attempts.recall()
        #expect(!attempts.isContested)
        attempts.sessionEnded(lost, after: .seconds(2))
        #expect(!attempts.isContested)
        attempts.sessionEnded(SpeakerFailure(.unreachable, "x"), after: .seconds(2))
        attempts.sessionEnded(lost, after: .seconds(2))
        #expect(!attempts.isContested)
        // A restart.
        _ = attempts.attemptFailed(SpeakerFailure(.unreachable, "refused"))
        attempts.sessionEnded(lost, after: .seconds(2))
        #expect(!attempts.isContested)
        attempts.sessionEnded(lost, after: .seconds(2))
        #expect(attempts.isContested)
    }

    @Test("a speaker that finds no clock is tried ever later, and that is told once until something changes")
    func clockless() {
        let timing = SenderTiming()
        let failure = SpeakerFailure(.clock, "not heard in 8 s")
        var attempts = SessionAttempts(timing)
        #expect(!attempts.isQuiet && attempts.tells(.lost(failure), after: .waitingForClock))
        var pauses: [SessionAttempts.Next] = []
        for _ in 0..<8 {
            attempts.sessionOpened()
            attempts.sessionEnded(failure, after: .seconds(8))
            pauses.append(attempts.next(after: failure, isPlayingOn: false))
        }
        let seconds: [Double] = [0.5, 1, 20, 40, 80, 120, 120, 120]
        let wanted = seconds.map { SessionAttempts.Next.retry(after: .seconds($0)) }
        #expect(pauses == wanted)
        let told = SpeakerState.lost(SpeakerFailure(.clock, "not heard in 9 s"))
        #expect(attempts.isQuiet)
        for state in [SpeakerState.connecting, .waitingForClock, .lost(failure)] {
            #expect(!attempts.tells(state, after: told))
        }
        let other = SpeakerState.lost(SpeakerFailure(.unreachable, "x"))
        for state in [SpeakerState.ready, .playing, .closed, other] {
            #expect(attempts.tells(state, after: told))
        }
        // It plays, and then loses its session.
        #expect(attempts.tells(.connecting, after: .playing))
    }

    @Test("a clock that was used, and any other failure, make a speaker without one told anew")
    func clockFound() {
        let failure = SpeakerFailure(.clock, "x")
        var attempts = SessionAttempts(SenderTiming())
        for _ in 0..<4 { _ = attempts.next(after: failure, isPlayingOn: false) }
        attempts.clockFound()
        #expect(!attempts.isQuiet)
        _ = attempts.next(after: failure, isPlayingOn: false)
        #expect(attempts.isQuiet)
        _ = attempts.next(after: SpeakerFailure(.unreachable, "x"), isPlayingOn: false)
        #expect(!attempts.isQuiet)
        let next = attempts.next(after: failure, isPlayingOn: false)
        #expect(next == .retry(after: SenderTiming().longestPause))
    }

    @Test("an excessive back-off is limited to 600 s")
    func longBackOff() async throws {
        let stage = try Stage(.rejectsPairing(.backOff(seconds: .max)))
        let failure = try await stage.waitForFailure()
        #expect(failure.message == "Kitchen accepts no pairing for 600 s after too many wrong attempts")
        #expect(failure.retryDelay == .seconds(600))
        await stage.group.close()
    }

    @Test(
        "a connection that ends at any step is reopened",
        arguments: [.info, .pairSetup, .setUpSession, .record, .setPeers, .setUpStream] as [Step])
    func closed(step: Step) async throws {
        let stage = try Stage(.closesInsteadOf(step))
        _ = try await stage.waitForFailure()
        try await stage.wait(for: .waitingForClock)
        let log = stage.receiver.log.value
        #expect(log.controlConnections == 2)
        #expect(log.entries.last { $0.connection == 1 }?.step == step)
        await stage.group.close()
    }

    @Test("a speaker that does not answer /info in time is retried")
    func mute() async throws {
        var timing = Stage.timing
        timing.setupTimeout = .milliseconds(50)
        let stage = Stage([try FakeReceiver(.holds(.info))], timing: timing)
        #expect(try await stage.waitForFailure().code == .silent)
        stage.receiver.change { $0.held = [] }
        // Pairing may take longer than the short limit on a slow machine; an answer to /info is enough.
        _ = try await stage.receiver.wait(for: .pairSetup)
        await stage.group.close()
    }

    @Test("a speaker whose mDNS records offer only AirPlay 1 is asked in AirPlay 1, whatever its /info says")
    func airPlay1Only() async throws {
        // The record of shairport-sync without nqptp, whose /info claims AirPlay 2 all the same.
        let raop = RAOPTXTRecord([
            (key: "txtvers", value: "1"), (key: "et", value: "0,1"), (key: "vs", value: "105.1"),
        ])
        let receiver = try FakeReceiver(.standard)
        let clock = FakeClock()
        let group = SpeakerGroup(
            targets: [SpeakerTarget(name: "Old", addresses: [receiver.address], record: nil, raop: raop)],
            store: PacketStore(), identity: SenderIdentity(name: "Stage", clock: clock.identity),
            clock: clock, timing: Stage.timing, machine: SystemMachine())
        for await event in group.events {
            guard case .chosen("Old", let choice) = event else { continue }
            #expect(choice.stream == .airPlay1 && choice.clock == .ntp)
            break
        }
        await group.close()
    }

    @Test("an address at which nothing listens is retried")
    func nobody() async throws {
        // Port 1, because another test may have taken a port that was free a moment ago.
        let address = SocketAddress(IPAddress(127, 64, 1, 1), port: 1)
        let clock = FakeClock()
        let group = SpeakerGroup(
            targets: [SpeakerTarget(name: "Gone", addresses: [address])], store: PacketStore(),
            identity: SenderIdentity(name: "Stage", clock: clock.identity), clock: clock,
            timing: Stage.timing, machine: SystemMachine())
        var losses = 0
        for await event in group.events {
            guard case .state("Gone", .lost(let failure)) = event else { continue }
            #expect(failure.code == .unreachable)
            losses += 1
            if losses == 2 { break }
        }
        #expect(losses == 2)
        await group.close()
    }
}
