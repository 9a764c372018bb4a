import CoreMedia
import Dispatch
import Foundation
import Synchronization
import Testing
import TuttiTestSupport

@testable import Playback

/// The requested seeks and their results.
private final class SeekBook: Sendable {
    struct Seek: Sendable {
        /// Another seek or another item came before the target was reached.
        var isSuperseded = false
        var answers: [Bool] = []
    }

    private let seeks = Mutex<[Seek]>([])

    func add() -> Int {
        seeks.withLock { seeks in
            seeks.append(Seek())
            return seeks.count - 1
        }
    }

    func supersede(_ index: Int) { seeks.withLock { $0[index].isSuperseded = true } }
    func answer(_ index: Int, _ isDone: Bool) { seeks.withLock { $0[index].answers.append(isDone) } }

    /// Returns descriptions of the wrongly answered seeks, once all answers are in.
    func wrong() -> [String] {
        DispatchQueue.main.sync {}
        return seeks.withLock { seeks in
            seeks.enumerated().compactMap { index, seek in
                if seek.answers.count != 1 { return "seek \(index) was answered \(seek.answers.count) times" }
                return seek.isSuperseded && seek.answers[0]
                    ? "seek \(index), superseded, was answered true" : nil
            }
        }
    }
}

/// Calls of a program in random order, and events of its servers; reproducible by seed.
private final class RandomProgram {
    let simulation: Simulation
    private var random: SeededGenerator
    let seeks = SeekBook()
    /// The seek that may be in progress.
    private var pending: Int?
    private(set) var made: [SimulatedItem] = []
    /// A log of the steps, to diagnose a failure.
    private(set) var steps: [String] = []

    init(seed: UInt64, isDriven: Bool) {
        random = SeededGenerator(seed: seed)
        let outputs = Simulation.Output.allCases
        let actions: [PlayerEngine.EndAction] = [.advance, .advance, .pause, .none]
        simulation = Simulation(
            outputs[Int(seed) % outputs.count], endAction: actions[Int(seed / 4) % actions.count],
            lateness: .milliseconds(seed % 3 == 0 ? 30 : 0), lead: seed % 2 == 0 ? 0.12 : 0,
            isDriven: isDriven)
        simulation.contract.trustsServers = false
    }

    private func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    private func pick<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &random) }
    private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private func note(_ text: String) {
        steps.append("\((simulation.world.seconds * 1000).rounded() / 1000) \(text)")
    }

    // MARK: Items

    private func server() -> SimulatedServer {
        var server = SimulatedServer()
        server.speed = pick([0.4, 0.9, 1.3, 3, 8, 100] as [Double]) ?? 1
        server.duration = (number(1...40) * 10).rounded() / 10
        (server.isSeekable, server.isRemote) = (chance(80), chance(75))
        server.openDelay = number(0...1.5)
        if chance(20) { server.delivered = server.duration.map { $0 * 0.7 } }
        if chance(15) { server.events.append((number(0...20), .fails)) }
        if chance(30) {
            let at = number(0...15)
            server.events += [(at, .speed(0)), (at + number(1...10), .speed(4))]
        }
        if chance(12) {
            (server.duration, server.isSeekable, server.delivered, server.speed) = (nil, false, nil, 6)
            server.events = [(1, .speed(1)), (number(5...40), chance(70) ? .ends : .fails)]
        }
        return server
    }

    private func newItem() -> SimulatedItem {
        let one = simulation.item("item\(made.count)", server())
        if chance(15), one.server.duration != nil { one.item.startTime = SimulatedFeed.time(number(0...1)) }
        if chance(25) { one.item.setWishes { $0.forwardBufferDuration = 6 } }
        made.append(one)
        return one
    }

    private func insert() {
        let one = newItem()
        let place = chance(60) ? nil : pick(simulation.player.items)
        note("insert \(one.name) \(one.server)")
        edit { $0.insert(one.item, after: place) }
    }

    /// Makes an edit, which may remove the current item together with a seek in it.
    private func edit(_ body: (any SimulatedPlayer) -> Void) {
        if simulation.player.state.seeking.pending == nil { pending = nil }
        let before = simulation.player.currentItem
        simulation.ask(.edit) {
            body(simulation.player)
            if simulation.player.currentItem !== before { supersede() }
        }
    }

    // MARK: Seeks

    private func supersede() {
        guard let pending else { return }
        self.pending = nil
        seeks.supersede(pending)
    }

    private func seek() {
        let places: [Double] = [0, number(0...5), number(0...50), number(30...60)]
        let place = pick(places) ?? 0
        note("seek \(place)")
        // Only a seek in progress can be superseded.
        if simulation.player.state.seeking.pending == nil { pending = nil }
        supersede()
        let index = seeks.add()
        pending = index
        simulation.seek(to: place) { [seeks] isDone in seeks.answer(index, isDone) }
        if simulation.player.state.seeking.pending == nil { pending = nil }
    }

    // MARK: Steps

    private func step() {
        let player = simulation.player
        if player.state.seeking.pending == nil { pending = nil }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<18: insert()
        case 18..<34:
            let rate = pick([1, 1, 1, 0.5, 2, 1.5] as [Float]) ?? 1
            note("rate \(rate)")
            simulation.setRate(rate)
        case 34..<40:
            note("pause")
            simulation.setRate(0)
        case 40..<44:
            note("immediately")
            simulation.playImmediately(1)
        case 44..<58: seek()
        case 58..<64:
            guard let item = pick(player.items) else { return }
            note("remove \(player.items.firstIndex { $0 === item } ?? -1)")
            edit { $0.remove(item) }
        case 64..<69:
            note("advance")
            edit { $0.advanceToNextItem() }
        case 69..<73:
            let one = chance(85) ? newItem() : nil
            note("replace with \(one?.name ?? "nothing")")
            edit { $0.replaceCurrentItem(with: one?.item) }
        case 73..<78:
            let waits = chance(60)
            note("waits \(waits)")
            simulation.setWaits(waits)
        case 78..<80:
            note("interrupted")
            simulation.ask(.interrupted) { player.interrupt() }
        case 80..<81:
            note("remove all")
            edit { $0.removeAllItems() }
        default: serverEvent()
        }
    }

    private func serverEvent() {
        let open = made.filter { $0.feed?.isClosed == false }
        guard let feed = pick(open)?.feed else { return }
        let event: SimulatedServer.Event =
            switch Int.random(in: 0..<12, using: &random) {
            case 0: .fails
            case 1: .ends
            case 2..<5: .speed(0)
            default: .speed(pick([0.5, 1, 2, 20] as [Double]) ?? 1)
            }
        note("server \(event)")
        simulation.ask(.other) { feed.happens(event) }
    }

    func run(stepCount: Int) {
        for _ in 0..<stepCount {
            if chance(15) {
                note("burst")
                simulation.burst { for _ in 0..<Int.random(in: 2...8, using: &random) { step() } }
            } else {
                step()
            }
            if chance(70) { simulation.run(until: simulation.world.seconds + number(0...3)) }
        }
    }

    /// Plays the rest of the queue from fast servers, without further requests.
    func finish() {
        note("the end")
        simulation.setWaits(true)
        simulation.player.endAction = .advance
        // The player's reaction to this is over before the next look.
        simulation.settle()
        let end = simulation.world.seconds + 3000
        while simulation.world.seconds < end, simulation.player.currentItem != nil {
            if simulation.player.machine.rate == 0 { simulation.setRate(1) }
            for one in made where one.feed?.isClosed == false {
                one.feed?.happens(.speed(20))
                if one.server.duration == nil { one.feed?.happens(.ends) }
            }
            // A failed item stays until it is removed.
            if simulation.player.currentItem?.state.status == .failed {
                edit { $0.advanceToNextItem() }
            } else {
                simulation.run(until: simulation.world.seconds + 5)
            }
        }
    }
}

@Suite("Random programs")
struct RandomProgramTests {
    struct Outcome: Sendable {
        var sure: [String]
        var complaints: [String]
        var seeks: [String]
        var left: Int
        var rate: Float
        var control: TransportMachine.Control
        var unclosed: [String]
        var steps: [String]
        var made: Int
        var notes: [Note]
    }

    static func play(_ seed: UInt64, isDriven: Bool = false) -> Outcome {
        let program = RandomProgram(seed: seed, isDriven: isDriven)
        program.run(stepCount: 220)
        program.finish()
        let player = program.simulation.player
        return Outcome(
            sure: program.simulation.contract.sureComplaints, complaints: program.simulation.complaints,
            seeks: program.seeks.wrong(), left: player.items.count,
            rate: player.machine.rate, control: player.machine.control,
            unclosed: program.made.filter { $0.feed?.isClosed == false }.map(\.name), steps: program.steps,
            made: program.made.count, notes: program.simulation.notes)
    }

    /// The later seeds each found a defect once.
    static let seeds: [UInt64] =
        Array(1...16) + [35, 69, 75, 79, 119, 121, 277, 339, 402, 416, 678, 1081, 1160]

    @Test("a random program keeps the contract and ends with an empty queue", arguments: Self.seeds)
    func program(seed: UInt64) async { await expect(seed, isDriven: false) }

    @Test(
        "a random program keeps the contract with the driver's queue", arguments: [2, 3, 5, 12] as [UInt64])
    func driven(seed: UInt64) async { await expect(seed, isDriven: true) }

    private func expect(_ seed: UInt64, isDriven: Bool) async {
        let outcome = await LongWork.run { Self.play(seed, isDriven: isDriven) }
        #expect(outcome.made > 20)
        #expect(outcome.seeks == [])
        #expect(outcome.sure == [], "\(outcome.steps.suffix(6)), \(outcome.notes.suffix(20))")
        #expect(outcome.unclosed == [])
        #expect(outcome.complaints == [], "\(outcome.steps.suffix(6)), \(outcome.notes.suffix(20))")
        // Everything was heard, or has failed: nothing is left, and nothing plays.
        #expect(outcome.left == 0 && outcome.control != .playing)
    }
}
