import Synchronization
import TuttiMediaTime

@testable import TuttiClockService

/// A lease without a file: terms and their holders.
final class SimulatedTerms: Sendable {
    struct State {
        var term: Int64 = 1
        var holders: [Int64: Int] = [1: 0]
    }
    let state = Mutex(State())

    /// Releases the locks of an ended program, as the kernel does.
    func end(of program: Int) {
        state.withLock { $0.holders = $0.holders.filter { $0.value != program } }
    }
}

struct SimulatedLease: ClockLease {
    let terms: SimulatedTerms
    let program: Int

    var term: Int64 { terms.state.withLock { $0.term } }

    func isHeldElsewhere(_ term: Int64) -> Bool {
        terms.state.withLock { $0.holders[term].map { $0 != program } ?? false }
    }

    func take(after term: Int64) -> Bool {
        terms.state.withLock { state in
            guard state.holders[term + 1] == nil, state.term == term else { return false }
            (state.term, state.holders[term + 1]) = (term + 1, program)
            return true
        }
    }

    func letGo(of term: Int64) {
        terms.state.withLock { if $0.holders[term] == program { $0.holders[term] = nil } }
    }
}

/// Programs of one machine that share a clock, in virtual time: connections, beats, exits and suspensions, no audio.
struct SimulatedPrograms {
    private struct Program {
        var tenure: ClockTenure
        var isAlive = true
        var isStopped = false
        /// The connected program; `nil` also while the connection waits to be accepted.
        var server: Int?
        var isWaiting = false
    }

    let terms = SimulatedTerms()
    private(set) var now = HostTime(nanoseconds: 50_000_000_000)
    private var programs: [Program]
    /// Durations without a serving program, one for each gap.
    private(set) var gaps: [Duration] = []
    private var servedUntil: HostTime?

    init(count: Int) {
        let now = now
        programs = (0..<count).map {
            Program(
                tenure: $0 == 0 ? ClockTenure(servingAt: now) : ClockTenure(memberOf: 1, at: now),
                server: $0 == 0 ? nil : 0)
        }
    }

    /// Programs that are running and serving.
    var serving: [Int] {
        programs.indices.filter {
            programs[$0].isAlive && !programs[$0].isStopped && programs[$0].tenure.isServing
        }
    }

    /// Running programs that know the owner.
    var members: [Int] {
        programs.indices.filter {
            guard programs[$0].isAlive, !programs[$0].isStopped else { return false }
            if case .member = programs[$0].tenure.role { return true }
            return false
        }
    }

    /// The program ends or is killed: the kernel closes its descriptors.
    mutating func end(_ index: Int) {
        programs[index].isAlive = false
        terms.end(of: index)
        for other in programs.indices where programs[other].server == index { disconnect(other) }
    }

    mutating func stop(_ index: Int) { programs[index].isStopped = true }

    mutating func proceed(_ index: Int) { programs[index].isStopped = false }

    mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        while now < end {
            now = now.advanced(by: .milliseconds(1))
            for index in programs.indices where programs[index].isAlive && !programs[index].isStopped {
                turn(index)
            }
            note()
        }
    }

    private mutating func note() {
        guard serving.isEmpty else {
            if let servedUntil { gaps.append(now.since(servedUntil)) }
            servedUntil = nil
            return
        }
        servedUntil = servedUntil ?? now
    }

    private mutating func disconnect(_ index: Int) {
        programs[index].server = nil
        programs[index].tenure.lostConnection(at: now)
    }

    private mutating func turn(_ index: Int) {
        let lease = SimulatedLease(terms: terms, program: index)
        while let step = programs[index].tenure.advance(at: now, lease: lease) {
            switch step {
            case .connect: programs[index].isWaiting = true
            case .beginServing: programs[index].isWaiting = false
            case .stopServing:
                for other in programs.indices where programs[other].server == index { disconnect(other) }
            case .beat:
                for other in programs.indices where programs[other].server == index {
                    programs[other].tenure.heard(at: now)
                }
            }
        }
        guard programs[index].tenure.isServing else { return }
        for other in programs.indices where programs[other].isWaiting && programs[other].isAlive {
            programs[other].isWaiting = false
            programs[other].server = index
            programs[other].tenure.welcomed(term: lease.term, at: now)
        }
    }
}
