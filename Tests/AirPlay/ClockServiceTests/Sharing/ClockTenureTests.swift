import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import TuttiClockService

@Suite("One of several programs serves the shared clock")
struct ClockTenureTests {
    @Test("the first program serves while it runs")
    func quiet() {
        var programs = SimulatedPrograms(count: 10)
        programs.run(for: .seconds(30))
        #expect(programs.serving == [0] && programs.members.count == 9)
        #expect(programs.gaps.isEmpty)
    }

    @Test("nine owners killed in a row are each replaced within 25 ms")
    func kills() {
        var programs = SimulatedPrograms(count: 10)
        for left in (1...9).reversed() {
            programs.run(for: .milliseconds(700))
            guard let owner = programs.serving.first else {
                Issue.record("nobody serves")
                return
            }
            programs.end(owner)
            programs.run(for: .milliseconds(300))
            #expect(programs.serving.count == 1)
            #expect(programs.members.count == left - 1)
        }
        #expect(programs.gaps.allSatisfy { $0 <= .milliseconds(25) })
    }

    @Test("a suspended owner is replaced after 1.5 s, and becomes a member when it continues")
    func stopped() {
        var programs = SimulatedPrograms(count: 4)
        programs.run(for: .seconds(2))
        programs.stop(0)
        programs.run(for: .seconds(3))
        #expect(programs.serving.count == 1 && programs.serving != [0])
        #expect(programs.members.count == 2)
        #expect(programs.gaps.count == 1 && (programs.gaps.first ?? .zero) <= .milliseconds(1600))
        let successor = programs.serving
        programs.proceed(0)
        programs.run(for: .milliseconds(500))
        #expect(programs.serving == successor && programs.members.count == 3)
    }

    @Test("a suspended owner's killed successor is replaced by one program, not by two")
    func stoppedAndKilled() {
        var programs = SimulatedPrograms(count: 5)
        programs.run(for: .seconds(1))
        programs.stop(0)
        programs.run(for: .seconds(2))
        guard let second = programs.serving.first else {
            Issue.record("nobody serves")
            return
        }
        programs.end(second)
        programs.proceed(0)
        programs.run(for: .seconds(1))
        #expect(programs.serving.count == 1)
        #expect(programs.members.count == 3)
    }

    @Test("random exits and suspensions leave exactly one serving program", arguments: 1...20)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var programs = SimulatedPrograms(count: 8)
        var alive = Set(0..<8)
        var stopped: Set<Int> = []
        for _ in 0..<12 {
            programs.run(for: .milliseconds(Int64.random(in: 1...2500, using: &generator)))
            guard let chosen = alive.sorted().randomElement(using: &generator) else { break }
            switch Int.random(in: 0..<3, using: &generator) {
            case 0 where alive.count > 2:
                programs.end(chosen)
                alive.remove(chosen)
                stopped.remove(chosen)
            case 1 where alive.subtracting(stopped).count > 1:
                programs.stop(chosen)
                stopped.insert(chosen)
            default:
                programs.proceed(chosen)
                stopped.remove(chosen)
            }
        }
        for index in stopped { programs.proceed(index) }
        programs.run(for: .seconds(4))
        #expect(programs.serving.count == 1)
        #expect(programs.members.count == alive.count - 1)
    }

    @Test("a rejected program serves alone")
    func turnedAway() {
        let terms = SimulatedTerms()
        let lease = SimulatedLease(terms: terms, program: 1)
        var now = HostTime(nanoseconds: 1_000_000_000)
        var tenure = ClockTenure(memberOf: 1, at: now)
        tenure.lostConnection(at: now)
        var connections = 0
        for _ in 0..<5000 {
            now = now.advanced(by: .milliseconds(1))
            while let step = tenure.advance(at: now, lease: lease) {
                #expect(step == .connect)
                connections += 1
                tenure.lostConnection(at: now)
            }
        }
        #expect((40...60).contains(connections))
        #expect(terms.state.withLock { $0.term } == 1)
    }
}
