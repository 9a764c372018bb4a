import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import AirPlaySender

/// A group of speakers in virtual time, with late answers, refusals and lost sessions.
private struct SimulatedGroup {
    private struct Due {
        var time: HostTime
        var input: GroupInput
    }

    /// The state of a speaker, as its session presents it.
    private struct Speaker {
        var line: FrameLine?
        /// The newest round; starts of earlier rounds are superseded.
        var newest = 0
    }

    var run: PlanRun
    private var generator: SeededGenerator
    private var due: [Due] = []
    private var speakers: [SessionID: Speaker] = [:]
    /// Whether answers may be refusals, late or slow.
    var isFaulty = true
    private(set) var longestBusy = Duration.zero
    private var busySince: HostTime?
    private var nextSession = 100

    init(speakers count: Int, seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        run = PlanRun()
        for number in 1...count {
            run.give(.joined(MemberID(number: number)))
            open(MemberID(number: number))
        }
    }

    mutating func open(_ member: MemberID) {
        nextSession += 1
        let id = SessionID(number: nextSession)
        speakers[id] = Speaker()
        run.ready[id] = .some(run.now.advanced(by: .milliseconds(Int.random(in: 0...900, using: &generator))))
        let showsClock = Bool.random(using: &generator)
        run.give(.opened(member, id, PlanRun.traits(showsClock: showsClock)))
        schedule(.greeted(id), after: .milliseconds(Int.random(in: 0...30, using: &generator)))
        takeRequests()
    }

    private mutating func schedule(_ input: GroupInput, after delay: Duration) {
        due.append(Due(time: run.now.advanced(by: delay), input: input))
    }

    mutating func give(_ input: GroupInput) {
        run.give(input)
        takeRequests()
    }

    private mutating func takeRequests() {
        let requests = run.requests
        run.requests = []
        for sent in requests { serve(sent) }
        if run.plan.isBusy {
            busySince = busySince ?? run.now
            longestBusy = max(longestBusy, run.now.since(busySince ?? run.now))
        } else {
            busySince = nil
        }
    }

    private mutating func serve(_ sent: PlanRun.Sent) {
        var answer = GroupAnswer.done
        var speaker = speakers[sent.id] ?? Speaker()
        switch sent.request {
        case .start(let line, let needsBeginning):
            speaker.newest = sent.round
            answer = .start(startAnswer(needsBeginning: needsBeginning))
            speaker.line = answer == .start(.accepted) ? line : nil
        case .move(let line): if speaker.line != nil { speaker.line = line }
        case .prepare, .stop, .clear: (speaker.newest, speaker.line) = (sent.round, nil)
        case .askWhetherItFollows:
            answer = .follows(!isFaulty || Int.random(in: 0..<3, using: &generator) > 0)
        case .waitForBeginning, .refill: break
        }
        speakers[sent.id] = speaker
        let slow = isFaulty && Int.random(in: 0..<10, using: &generator) == 0
        let delay = Int.random(in: slow ? 300...3000 : 1...20, using: &generator)
        schedule(
            .answered(sent.id, round: sent.round, answer, slowest: .milliseconds(delay)),
            after: .milliseconds(delay))
    }

    private mutating func startAnswer(needsBeginning: Bool) -> StartAnswer {
        guard isFaulty else { return .accepted }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return .notYet(400)
        case 1 where needsBeginning: return .late(.milliseconds(Int.random(in: 1...80, using: &generator)))
        default: return .accepted
        }
    }

    /// Advances time, and delivers deadlines and answers in order.
    mutating func wait(_ duration: Duration) {
        let end = run.now.advanced(by: duration)
        for looks in 0... {
            precondition(looks < 100_000, "a deadline that does not move")
            let index = due.indices.min { due[$0].time < due[$1].time }
            let next = [index.map { due[$0].time }, run.plan.deadline].compactMap { $0 }.min()
            guard let next, next <= end else { break }
            run.now = max(run.now, next)
            if let index, due[index].time <= run.now {
                var input = due.remove(at: index).input
                // A start that was replaced meanwhile is answered as superseded.
                if case .answered(let id, let round, .start, let slowest) = input,
                    round < speakers[id]?.newest ?? 0
                {
                    input = .answered(id, round: round, .start(.superseded), slowest: slowest)
                }
                give(input)
            } else {
                give(.time)
            }
        }
        run.now = end
    }

    /// Loses a speaker's session, and opens another after a while.
    mutating func lose(_ number: Int) {
        give(.lost(MemberID(number: number)))
        wait(.milliseconds(Int.random(in: 1...400, using: &generator)))
        open(MemberID(number: number))
    }

    mutating func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// Returns whether the speaker of a session plays along exactly this line.
    func plays(_ id: SessionID, along line: FrameLine) -> Bool {
        guard let own = speakers[id]?.line else { return false }
        return own.host == line.host(of: own.frame)
    }

    func isSilent(_ id: SessionID) -> Bool { speakers[id]?.line == nil }
}

@Suite("Group in virtual time")
struct SimulatedGroupTests {
    @Test(
        "all speakers end on one line, or all end silent, whatever happens before",
        arguments: (1...40) as ClosedRange<UInt64>)
    func agree(seed: UInt64) throws {
        var group = SimulatedGroup(speakers: 3, seed: seed)
        for _ in 0..<60 {
            group.isFaulty = true
            switch group.random(0..<10) {
            case 0..<4 where !group.run.plan.isBusy:
                group.give(.start(frame: Int64(group.random(0..<100) * 44_100), wanted: nil))
            case 4, 5:
                if !group.run.plan.isBusy { group.give(.stop(frame: 0)) }
            case 6:
                if !group.run.plan.isBusy {
                    group.give(.clear)
                    group.wait(.milliseconds(500))
                    group.give(.anchorAgain)
                }
            case 7: group.lose(1 + group.random(0..<3))
            default: break
            }
            group.wait(.milliseconds(group.random(0..<2000)))
        }
        // Every speaker reaches its final state once the faults have stopped.
        group.isFaulty = false
        group.wait(.seconds(10))
        let ids = group.run.plan.sessions.ids
        #expect(ids.count == 3)
        if let line = group.run.plan.line {
            for id in ids { #expect(group.plays(id, along: line), "\(id), seed \(seed)") }
            for id in ids { #expect(group.run.plan.playsCorrectly(id)) }
        } else {
            for id in ids { #expect(group.isSilent(id), "\(id), seed \(seed)") }
        }
        // A command waits for slow speakers, but no longer than the limit.
        #expect(group.longestBusy <= .milliseconds(850))
    }

    @Test("a group of ten starts on one line within two seconds")
    func ten() throws {
        var group = SimulatedGroup(speakers: 10, seed: 7)
        group.isFaulty = false
        group.give(.start(frame: 0, wanted: nil))
        group.wait(.seconds(3))
        let line = try #require(group.run.plan.line)
        #expect(group.run.started.count == 1)
        #expect(line.host <= HostTime(nanoseconds: 1_000_000_000).advanced(by: .seconds(2)))
        for id in group.run.plan.sessions.ids { #expect(group.plays(id, along: line)) }
    }
}
