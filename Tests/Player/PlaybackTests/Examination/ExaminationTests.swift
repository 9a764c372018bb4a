import AirPlayMessages
import AirPlaySender
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("Examination of a speaker, without sockets")
struct ExaminationTests {
    private static let name = "Kitchen"
    private static let speaker: NamedSpeaker = "Kitchen"
    private static let choice = SessionChoice(.realtime, .ptp, "it announces no buffered sound")

    /// An examination on virtual time.
    private struct Run {
        var examination = Examination(of: name, length: .seconds(2), at: HostTime(nanoseconds: 0))
        var now = HostTime(nanoseconds: 0)
        var actions: [Examination.Action] = []

        mutating func pass(_ milliseconds: Int64) { now = now.advanced(by: .milliseconds(milliseconds)) }

        mutating func tell(_ event: SpeakerGroupEvent) {
            examination.receive(event, at: now)
            collect()
        }

        /// Looks every 50 ms for `milliseconds`.
        mutating func look(_ report: ClockReport?, for milliseconds: Int64 = 50) {
            for _ in 0..<milliseconds / 50 {
                pass(50)
                examination.look(report, at: now)
                collect()
            }
        }

        private mutating func collect() {
            while let action = examination.nextAction() { actions.append(action) }
        }

        mutating func steps(_ kinds: [OpeningStep.Kind] = OpeningStep.Kind.allCases) {
            tell(.chosen(speaker: speaker, choice))
            for kind in kinds {
                tell(.opening(speaker: speaker, OpeningStep(kind, duration: .milliseconds(3))))
            }
        }

        mutating func open() {
            steps()
            tell(
                .opened(
                    speaker: speaker, address: "10.0.0.2:7000", receiver: ReceiverDescription(),
                    bufferBytes: 0))
        }

        var kinds: [ExaminationStage.Kind] { examination.stages.map(\.kind) }

        func diagnosis(heard: Bool? = nil) -> Diagnosis {
            Diagnosis(
                of: name, stages: examination.stages, heard: heard, choice: examination.choice,
                isClockShown: examination.isClockShown)
        }
    }

    private static func asked(_ count: Int) -> ClockReport {
        ClockReport(.ptp, state: .ready, requests: count, readyTime: HostTime(nanoseconds: 0))
    }

    @Test("a good speaker passes every stage in order, and the line starts after the clock")
    func good() {
        var run = Run()
        run.open()
        run.look(ClockReport(.ptp), for: 200)
        #expect(!run.actions.contains(.start))
        run.look(Self.asked(3))
        #expect(run.actions.last == .start)
        run.examination.started(at: run.now.advanced(by: .milliseconds(300)))
        run.tell(.state(speaker: Self.speaker, .playing))
        run.look(Self.asked(9), for: 2200)
        #expect(run.actions.last != .end)
        run.look(Self.asked(9), for: 150)
        #expect(run.actions.last == .end)
        #expect(
            run.kinds.map(\.word) == [
                "port", "info", "access", "session", "events", "record", "stream", "clock", "anchor", "sound",
            ])
        #expect(run.examination.stages.allSatisfy { $0.outcome == .passed })
        #expect(run.examination.stages[3].detail == Self.choice.description)
        #expect(run.examination.stages[7].detail == "PTP, asked 3 times")
        #expect(run.examination.stages[7].duration == .milliseconds(250))
        #expect(run.diagnosis().isGood && run.diagnosis().code == "accepted")
        #expect(run.diagnosis(heard: true).code == "plays")
        let silent = run.diagnosis(heard: false)
        #expect(!silent.isGood && silent.code == "not-heard" && silent.message.contains("--stream airplay1"))
    }

    @Test("a speaker that never asks is started after 5 s all the same, and the sentence says what to try")
    func neverAsks() {
        var run = Run()
        run.open()
        let report = ClockReport(.ptp, state: .ready, readyTime: HostTime(nanoseconds: 0))
        run.look(report, for: 4900)
        #expect(!run.actions.contains(.start))
        run.look(report, for: 150)
        #expect(run.actions.last == .start)
        run.tell(.state(speaker: Self.speaker, .playing))
        run.look(report, for: 2100)
        #expect(run.actions.last == .end)
        // The trouble has one stage only.
        #expect(run.examination.stages.filter { $0.outcome != .passed }.map(\.kind) == [.clock])
        let diagnosis = run.diagnosis()
        #expect(!diagnosis.isGood && diagnosis.stage == .clock && diagnosis.code == "clock")
        #expect(
            diagnosis.message
                == "Kitchen never asked for our clock in 5 s: UDP 319 and 320 between it and this machine are blocked, or it needs NTP; try --clock ntp"
        )
        #expect(run.diagnosis(heard: true).isGood)
    }

    /// A speaker of a family that never asks.
    private static func neverAsking(isHeard: Bool, reads: Bool? = nil) -> ClockReport {
        var report = ClockReport(
            .ptp, state: .ready, neverAsks: true, isHeard: isHeard, readyTime: HostTime(nanoseconds: 0))
        report.readsByClock = reads
        return report
    }

    @Test("a family that never asks passes as soon as its clock follower has given a sign")
    func familyThatNeverAsks() {
        var run = Run()
        run.open()
        run.look(Self.neverAsking(isHeard: false), for: 500)
        #expect(!run.actions.contains(.start))
        run.look(Self.neverAsking(isHeard: true))
        #expect(run.actions.last == .start)
        run.tell(.state(speaker: Self.speaker, .playing))
        run.look(Self.neverAsking(isHeard: true), for: 2100)
        #expect(
            run.examination.stages[7].detail
                == "PTP, without requests from the speaker; its nqptp has answered")
        #expect(run.diagnosis().isGood && run.diagnosis().code == "accepted")
    }

    @Test(
        "a family that never asks and gives no sign is doubtful, unless it reads the tone by the clock after all",
        arguments: [true, nil] as [Bool?])
    func familyWithoutSign(reads: Bool?) {
        var run = Run()
        run.open()
        run.look(Self.neverAsking(isHeard: false), for: 5000)
        #expect(run.actions.last == .start)
        #expect(
            run.examination.stages[7].detail
                == "PTP, without requests from the speaker, so nothing shows that it follows")
        run.tell(.state(speaker: Self.speaker, .playing))
        run.look(Self.neverAsking(isHeard: false, reads: reads), for: 2100)
        let diagnosis = run.diagnosis()
        #expect(diagnosis.isGood == (reads == true))
        if reads == nil {
            #expect(diagnosis.stage == .clock && diagnosis.code == "clock")
            #expect(diagnosis.message.hasPrefix("nothing shows that Kitchen follows our clock"))
        }
    }

    @Test(
        "a step that fails is the stage that failed, once the group gives up",
        arguments: OpeningStep.Kind.allCases)
    func failedStep(kind: OpeningStep.Kind) throws {
        var run = Run()
        let index = try #require(OpeningStep.Kind.allCases.firstIndex(of: kind))
        run.steps(Array(OpeningStep.Kind.allCases[..<index]))
        let failure = SpeakerFailure(.refused, "Kitchen refused; restart it")
        let step = OpeningStep(kind, duration: .milliseconds(7), failure: failure)
        run.tell(.opening(speaker: Self.speaker, step))
        #expect(run.examination.stages.count == index)
        run.tell(.state(speaker: Self.speaker, .lost(failure)))
        let last = try #require(run.examination.stages.last)
        #expect(
            last
                == ExaminationStage(.opening(kind), duration: .milliseconds(7), .failed(failure))
        )
        #expect(run.actions.last == .end && run.examination.hasFailed)
        #expect(run.diagnosis(heard: true).message == failure.message)
        // Nothing follows.
        run.tell(.state(speaker: Self.speaker, .lost(failure)))
        run.look(nil, for: 60_000)
        #expect(run.actions.filter { $0 == .end }.count == 1)
    }

    @Test("a step that fails and is tried again with success is no failure")
    func secondAttempt() {
        var run = Run()
        let failure = SpeakerFailure(.silent, "too many senders")
        run.steps([.port, .info])
        run.tell(.opening(speaker: Self.speaker, OpeningStep(.access, duration: .zero, failure: failure)))
        run.open()
        #expect(run.kinds == OpeningStep.Kind.allCases.map(ExaminationStage.Kind.opening))
        #expect(!run.examination.hasFailed)
    }

    @Test("a speaker that stops responding ends every stage", arguments: ["opening", "clock", "anchor"])
    func silence(place: String) {
        var run = Run()
        if place != "opening" { run.open() }
        if place == "anchor" { run.look(Self.asked(1)) }
        let report = place == "anchor" ? Self.asked(1) : ClockReport(.ptp)
        run.look(report, for: 60_000)
        #expect(run.actions.last == .end)
        #expect(run.examination.hasFailed && !run.diagnosis().message.isEmpty)
    }

    @Test(
        "a speaker that runs dry, or loses the clock while it plays, is doubtful", arguments: [true, false])
    func whilePlaying(isStarved: Bool) {
        var run = Run()
        run.open()
        run.look(Self.asked(1))
        run.tell(.state(speaker: Self.speaker, .playing))
        if isStarved { run.tell(.state(speaker: Self.speaker, .starved)) }
        run.look(isStarved ? Self.asked(2) : ClockReport(.ptp, state: .stalled, requests: 2), for: 2100)
        #expect(!run.diagnosis().isGood && run.diagnosis().stage == .sound)
        #expect(run.diagnosis().message.contains(isStarved ? "too slow" : "no longer asks for our clock"))
    }

    @Test("the tone is a second of 440 Hz at -20 dB between silences; the silent one is as long")
    func tone() {
        let (tone, silence) = (TestTone.sound(isSilent: false), TestTone.sound(isSilent: true))
        #expect(tone.frameCount == 88_200 && silence.frameCount == 88_200)
        #expect(TestTone.length == .seconds(2))
        let samples = tone.bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        #expect(samples.map { abs(Int($0)) }.max() == 3277)
        #expect(
            samples[..<(2 * 13_230)].allSatisfy { $0 == 0 } && samples[(2 * 57_330)...].allSatisfy { $0 == 0 }
        )
        #expect(silence.bytes.allSatisfy { $0 == 0 })
    }
}
