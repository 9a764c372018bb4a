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

    @Test("the words for a silent speaker name the sound that it has, and promise none of a realtime stream")
    func silence() {
        let now = HostTime(nanoseconds: 0)
        func view(_ seconds: Int64) -> SessionView {
            SessionView(
                now: now, line: PlanRun.line(frame: 0, at: now), isOnLine: true, playhead: 44_100,
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
    }
}
