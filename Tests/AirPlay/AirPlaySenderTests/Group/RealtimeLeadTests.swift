import AirPlayMessages
import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("Leads of speakers that are sent nothing before their line is known")
struct RealtimeLeadTests {
    private static let (a, b) = (PlanRun.a, PlanRun.b)

    private static var realtime: SessionTraits {
        var traits = PlanRun.traits()
        traits.isRealtime = true
        traits.leads = SessionTraits.Leads(
            start: .milliseconds(600), resume: .milliseconds(600), seek: .milliseconds(300))
        return traits
    }

    @Test("the time that preparing takes is not taken from the lead")
    func unspent() {
        var run = PlanRun(open: [Self.a], traits: Self.realtime)
        run.give(.start(frame: 0, wanted: nil))
        run.wait(.milliseconds(350))
        run.prepareAll()
        #expect(run.started == [run.now.advanced(by: .milliseconds(600))])
    }

    @Test("a buffered speaker's lead counts from the command, as before")
    func spent() {
        var run = PlanRun(open: [Self.a], traits: PlanRun.traits())
        run.give(.start(frame: 0, wanted: nil))
        run.wait(.milliseconds(30))
        run.prepareAll()
        #expect(run.started.first.map { $0.since(run.now) < .milliseconds(100) } == true)
    }

    @Test("a speaker that joins has the lead that it wants")
    func joins() throws {
        for (traits, lead) in [(Self.realtime, 600), (PlanRun.traits(), 300)] {
            var run = PlanRun(open: [Self.a])
            run.playing()
            run.wait(.seconds(1))
            run.open(Self.b, traits)
            let start = try #require(run.starts.first { $0.id == Self.b })
            let ahead = start.line.host.since(run.now)
            #expect(ahead >= .milliseconds(lead) && ahead < .milliseconds(lead + 2))
        }
    }

    @Test(
        "a speaker whose delay changes gets nothing before it has dropped its sound, and then a resume's lead"
    )
    func rejoins() throws {
        var traits = PlanRun.traits(resume: .milliseconds(400))
        (traits.isRealtime, traits.stopTime) = (true, .milliseconds(64))
        var run = PlanRun(open: [Self.a, Self.b], traits: traits)
        run.playing()
        let line = try #require(run.plan.line)
        run.wait(.seconds(5))
        run.give(.delayed(MemberID(number: 1), try #require(SpeakerDelay(milliseconds: 120))))
        #expect(run.requests.map(\.request) == [.stop])
        run.answer(Self.a)
        run.wait(.milliseconds(63))
        #expect(run.requests.isEmpty)
        run.wait(.milliseconds(1))
        let start = try #require(run.starts.first)
        #expect(run.requests.count == 1 && start.id == Self.a)
        #expect(start.line == line.advanced(to: run.now.advanced(by: .milliseconds(400))))
        run.answer(Self.a, .start(.accepted))
        #expect(run.plan.playsCorrectly(Self.a) && run.plan.playsCorrectly(Self.b))
        #expect(run.plan.line == line)
    }

    private static var flushed: SessionTraits {
        var traits = realtime
        traits.stopTime = .milliseconds(64)
        return traits
    }

    @Test(
        "a jump gives the speaker time to drop its sound, and then its whole lead",
        arguments: [true, false])
    func jumps(afterStop: Bool) throws {
        var run = PlanRun(open: [Self.a, Self.b])
        run.open(SessionID(number: 3), Self.flushed)
        run.playing()
        run.wait(.seconds(5))
        if afterStop {
            run.give(.stop(frame: 220_500))
            for id in run.plan.sessions.ids { run.answer(id, .stopped(at: nil)) }
        }
        run.give(.start(frame: 441_000, wanted: nil))
        run.prepareAll()
        run.wait(.milliseconds(63))
        #expect(run.starts.isEmpty)
        run.wait(.milliseconds(1))
        #expect(run.starts.count == 3 && run.started == [run.now.advanced(by: .milliseconds(300))])
        let line = try #require(run.plan.line)
        #expect(run.starts.allSatisfy { $0.line == line })
    }

    @Test("a first start, and a resume after a pause, wait for no flush")
    func notFlushed() {
        var run = PlanRun(open: [Self.a], traits: Self.flushed)
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        #expect(run.started == [run.now.advanced(by: .milliseconds(600))])
        run.answer(Self.a, .start(.accepted))
        run.wait(.seconds(5))
        run.give(.stop(frame: 220_500))
        run.answer(Self.a, .stopped(at: nil))
        run.wait(.milliseconds(64))
        run.reports = []
        run.give(.start(frame: 220_500, wanted: nil))
        run.prepareAll()
        #expect(run.started == [run.now.advanced(by: .milliseconds(600))])
    }

    @Test("a resume soon after its pause has its whole lead after the flush")
    func resumesSoon() {
        var run = PlanRun(open: [Self.a], traits: Self.flushed)
        run.playing()
        run.wait(.seconds(5))
        run.give(.stop(frame: 220_500))
        run.answer(Self.a, .stopped(at: nil))
        run.wait(.milliseconds(30))
        run.give(.start(frame: 220_500, wanted: nil))
        run.prepareAll()
        run.wait(.milliseconds(33))
        #expect(run.starts.isEmpty)
        run.wait(.milliseconds(1))
        #expect(run.started == [run.now.advanced(by: .milliseconds(600))])
    }

    @Test("a speaker that answers its flush late gets its start after that, and the others begin without it")
    func answersLate() throws {
        var run = PlanRun(open: [Self.a])
        run.open(Self.b, Self.flushed)
        run.playing()
        run.wait(.seconds(5))
        run.give(.start(frame: 441_000, wanted: nil))
        run.answer(Self.a)
        run.wait(.seconds(1))
        run.answer(Self.a)
        run.wait(.seconds(1))
        #expect(run.starts.map(\.id) == [Self.a])
        run.answer(Self.a, .start(.accepted))
        run.answer(Self.b)
        run.wait(.milliseconds(63))
        #expect(run.starts.isEmpty)
        run.wait(.milliseconds(1))
        let start = try #require(run.starts.first)
        #expect(start.id == Self.b)
        #expect(start.line == run.plan.line?.advanced(to: run.now.advanced(by: .milliseconds(600))))
        run.requests.removeAll { if case .start = $0.request { false } else { true } }
        run.answer(Self.b, .start(.accepted))
        #expect(run.plan.playsCorrectly(Self.a) && run.plan.playsCorrectly(Self.b))
    }

    @Test("a speaker alone that answers its flush late loses nothing of the beginning")
    func answersLateAlone() throws {
        var run = PlanRun(open: [Self.a], traits: Self.flushed)
        run.playing()
        run.wait(.seconds(5))
        run.give(.start(frame: 441_000, wanted: nil))
        run.wait(.seconds(2))
        #expect(run.starts.isEmpty)
        run.prepareAll()
        run.wait(.milliseconds(63))
        #expect(run.starts.isEmpty)
        run.wait(.milliseconds(1))
        #expect(run.started == [run.now.advanced(by: .milliseconds(300))])
        #expect(run.starts.map(\.line) == [try #require(run.plan.line)])
    }

    /// The events that end the wait of a start for a speaker that has not answered its flush.
    enum WayOut: CaseIterable, Sendable { case failure, loss, leaving, newcomer, stopAndStart }

    @Test(
        "a start that waits for a speaker's flush goes on whatever becomes of the speaker",
        arguments: WayOut.allCases)
    func waysOut(_ way: WayOut) {
        var run = PlanRun(open: [Self.a], traits: Self.flushed)
        run.playing()
        run.wait(.seconds(5))
        run.give(.start(frame: 441_000, wanted: nil))
        run.wait(.seconds(2))
        #expect(run.starts.isEmpty)
        switch way {
        case .failure: run.answer(Self.a, .failed(SpeakerFailure(.silent, "no answer")))
        case .loss:
            run.give(.lost(MemberID(number: 1)))
            run.open(Self.a, Self.flushed)
        case .leaving:
            run.give(.left(MemberID(number: 1)))
            run.open(Self.b, Self.flushed)
        case .newcomer: run.open(Self.b)
        case .stopAndStart:
            run.give(.stop(frame: 441_000))
            run.prepareAll()
            run.wait(.seconds(1))
            run.give(.start(frame: 441_000, wanted: nil))
        }
        run.prepareAll()
        run.wait(.seconds(1))
        run.prepareAll()
        run.wait(.seconds(1))
        #expect(!run.starts.isEmpty)
    }

    @Test("other sound on a running line waits for a flush that is answered late, too")
    func otherSoundLate() throws {
        var run = PlanRun(open: [Self.a], traits: Self.flushed)
        run.playing()
        run.wait(.seconds(5))
        run.give(.clear)
        run.wait(.seconds(1))
        run.give(.anchorAgain)
        run.wait(.seconds(1))
        #expect(run.starts.isEmpty)
        run.answer(Self.a)
        run.wait(.milliseconds(63))
        #expect(run.starts.isEmpty)
        run.wait(.milliseconds(1))
        #expect(run.starts.count == 1)
        run.answer(Self.a, .start(.accepted))
        #expect(run.plan.playsCorrectly(Self.a))
    }

    @Test("other sound on a running line waits until until the speaker has dropped the old")
    func otherSound() throws {
        var run = PlanRun(open: [Self.a], traits: Self.flushed)
        run.playing()
        let line = try #require(run.plan.line)
        run.wait(.seconds(5))
        run.give(.clear)
        run.answer(Self.a)
        run.give(.anchorAgain)
        run.wait(.milliseconds(63))
        #expect(run.starts.isEmpty)
        run.wait(.milliseconds(1))
        #expect(run.starts.map(\.line) == [line.advanced(to: run.now.advanced(by: .milliseconds(300)))])
    }

    @Test("a speaker that has begun along a line that moved falls silent before it begins again")
    func movedLine() throws {
        let c = SessionID(number: 3)
        var run = PlanRun(open: [Self.a])
        run.open(c, Self.flushed)
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        let line = try #require(run.plan.line)
        run.answer(Self.a, .start(.late(.milliseconds(20))))
        run.wait(.milliseconds(400))
        #expect(run.plan.line != line)
        run.answer(c, .start(.accepted))
        #expect(run.requests.filter { $0.id == c }.map(\.request) == [.stop])
        run.answer(c, .stopped(at: nil))
        run.wait(.milliseconds(63))
        #expect(!run.starts.contains { $0.id == c })
        run.wait(.milliseconds(1))
        let start = try #require(run.starts.first { $0.id == c })
        #expect(start.line == run.plan.line?.advanced(to: run.now.advanced(by: .milliseconds(600))))
        run.answer(c, .start(.accepted))
        #expect(run.plan.playsCorrectly(c))
    }

    @Test("a pause while the speaker drops its sound ends the wait")
    func pausedMeanwhile() throws {
        var traits = PlanRun.traits()
        traits.stopTime = .milliseconds(64)
        var run = PlanRun(open: [Self.a, Self.b], traits: traits)
        run.playing()
        run.wait(.seconds(5))
        run.give(.delayed(MemberID(number: 1), try #require(SpeakerDelay(milliseconds: 120))))
        run.answer(Self.a)
        run.give(.stop(frame: 44_100))
        run.answer(Self.a)
        run.answer(Self.b)
        run.wait(.milliseconds(100))
        #expect(run.starts.isEmpty)
    }

    @Test("a realtime session of shairport-sync waits for its flush; one of our own speaker does not")
    func stopTimes() {
        for (model, time) in [("ShairportSync", 64), ("Tutti", 0)] {
            let receiver = ReceiverDescription(info: ReceiverInfo(fields: ["model": .string(model)]))
            let traits = SessionTraits(realtime: receiver, address: "", bufferBytes: 1 << 20)
            #expect(traits.stopTime == .milliseconds(time))
        }
    }

    @Test("the words for a silent speaker name the sound that it has, and promise none of a realtime stream")
    func silence() {
        let now = HostTime(nanoseconds: 0)
        func view(_ seconds: Int64, plays: Bool = true) -> SessionView {
            SessionView(
                now: now, line: plays ? PlanRun.line(frame: 0, at: now) : nil, isOnLine: true,
                playhead: 44_100,
                sampleRate: .hz44100, state: .playing,
                depth: SessionDepth(
                    endFrame: 44_100 * (seconds + 1), bytesHeld: 0, isDrained: false, unread: .zero))
        }
        #expect(
            view(48).silence(of: "K", isRealtime: false)
                == "K does not answer; it has 48 s of sound and plays on")
        #expect(
            view(0).silence(of: "K", isRealtime: false) == "K does not answer, and has no sound left")
        let words = view(1).silence(of: "K", isRealtime: true)
        #expect(!words.contains("plays on") && words.contains("has been silent"))
        let paused = view(48, plays: false)
        #expect(paused.silence(of: "K", isRealtime: false) == "K does not answer; it keeps 48 s of sound")
        #expect(paused.silence(of: "K", isRealtime: true) == "K does not answer")
        #expect(view(0, plays: false).silence(of: "K", isRealtime: false) == "K does not answer")
    }
}
