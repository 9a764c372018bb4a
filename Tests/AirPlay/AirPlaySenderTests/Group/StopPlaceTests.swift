import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("Resume behind a stop")
struct StopPlaceTests {
    /// The frame of a stop, the frame that the line has reached, the end of what was heard, and where a resume begins.
    static let places: [(frame: Int64, heard: Int64?, end: Int64, resume: Int64?)] = [
        (44_100, 44_200, 44_500, 44_500), (44_100, 44_099, 44_101, 44_101), (44_100, 44_100, 44_100, nil),
        // The speaker has not been heard beyond the stop, or for longer than a message is on its way.
        (44_100, 44_100, 44_000, nil), (44_100, 44_100, 44_100 + 22_050, 44_100 + 22_050),
        (44_100, 44_100, 44_100 + 22_051, nil),
        // A jump elsewhere, or a line that is not known.
        (44_100, 88_200, 44_500, nil), (88_200, 44_100, 88_300, nil), (0, nil, 300, nil),
        (.max, .min, .max, nil), (.min, .max, 0, nil),
    ]

    @Test("a resume begins where the speaker fell silent, if the stop was at the playhead", arguments: places)
    func frames(frame: Int64, heard: Int64?, end: Int64, resume: Int64?) {
        let place = StopPlace(frame: frame, heard: heard, sampleRate: .hz44100)
        #expect(place.resumeFrame(heardUntil: end) == resume)
    }

    private static let (a, b) = (PlanRun.a, PlanRun.b)

    /// A group that was stopped at frame 22,050, half a second after the beginning of its line, and has answered.
    private static func stopped(_ answers: [GroupAnswer]) throws -> PlanRun {
        var run = PlanRun(open: [a, b])
        run.playing()
        let line = try #require(run.plan.line)
        run.wait(line.host.advanced(by: .milliseconds(503)).since(run.now))
        run.give(.stop(frame: 22_050))
        for (id, answer) in zip([a, b], answers) { run.answer(id, answer) }
        return run
    }

    @Test("each speaker begins a resume where it fell silent, and all on one line")
    func resume() throws {
        var run = try Self.stopped([.stopped(at: 22_050 + 221), .stopped(at: nil)])
        run.wait(.seconds(1))
        run.give(.start(frame: 22_050, wanted: nil))
        run.prepareAll()
        let line = try #require(run.plan.line)
        #expect(line.frame == 22_050 && run.starts.map(\.id) == [Self.a, Self.b])
        #expect(run.starts.map(\.line) == [line.advanced(toFrame: 22_271), line])
        #expect(run.started == [line.host])
    }

    @Test("a resume behind a stop that one speaker has answered late begins where the others fell silent")
    func lateAnswer() throws {
        var run = try Self.stopped([.stopped(at: 22_050 + 221)])
        run.wait(.milliseconds(190))
        run.answer(Self.b, .stopped(at: 22_050 + 8000))
        run.give(.start(frame: 22_050, wanted: nil))
        run.prepareAll()
        let line = try #require(run.plan.line)
        #expect(run.starts.map(\.line) == [line.advanced(toFrame: 22_271), line.advanced(toFrame: 30_050)])
    }

    @Test("a resume that is too late for a speaker moves as a whole")
    func late() throws {
        var run = try Self.stopped([.stopped(at: 22_271), .stopped(at: 22_400)])
        run.wait(.seconds(1))
        run.give(.start(frame: 22_050, wanted: nil))
        run.prepareAll()
        run.answer(Self.a, .start(.late(.milliseconds(5))))
        run.answer(Self.b, .start(.late(.milliseconds(7))))
        let line = try #require(run.plan.line)
        #expect(
            run.starts.map(\.line) == [line.advanced(toFrame: 22_271), line.advanced(toFrame: 22_400)])
    }

    @Test("a start elsewhere, right behind the stop or with other sound is not a resume", arguments: 0..<4)
    func others(kind: Int) throws {
        var run = try Self.stopped([.stopped(at: 22_271), .stopped(at: 22_271)])
        // Right behind the stop it is a jump to the same place.
        if kind > 0 { run.wait(.seconds(1)) }
        if kind == 1 { run.give(.stop(frame: 22_000)) }
        if kind == 2 {
            run.give(.clear)
            run.prepareAll()
        }
        let frame: Int64 = [22_050, 22_000, 22_050, 22_200][kind]
        run.give(.start(frame: frame, wanted: nil))
        run.prepareAll()
        let line = try #require(run.plan.line)
        #expect(line.frame == frame && run.starts.map(\.line) == [line, line])
    }

    @Test("a speaker that rejoins later, or answers late, plays along the line as it is")
    func rejoins() throws {
        var run = try Self.stopped([.stopped(at: 22_271)])
        run.wait(.seconds(1))
        // The answer to a stop for which the group no longer waits.
        run.answer(Self.b, .stopped(at: 22_400))
        run.give(.start(frame: 22_050, wanted: nil))
        run.prepareAll()
        let line = try #require(run.plan.line)
        #expect(run.starts.map(\.line) == [line.advanced(toFrame: 22_271), line])
        run.answer(Self.a, .start(.notYet(400)))
        run.answer(Self.b, .start(.accepted))
        run.wait(.seconds(2))
        let start = try #require(run.starts.first)
        #expect(start.id == Self.a && start.line.frame > 22_271)
        #expect(start.line.host == line.host(of: start.line.frame))
    }
}
