import Foundation
import Testing
import TuttiTestSupport

@testable import Playback

@Suite("A day of playing")
struct EndlessTests {
    /// Counts of the objects in memory, apart from the items that the program has.
    struct Held: Equatable, Sendable, CustomStringConvertible {
        var hour = 0
        var buffersInFeed = 0
        var buffersInOutput = 0
        var titles = 0
        var laid = 0
        var queued = 0
        var wishes = 0
        var livingItems = 0
        var residentKilobytes = 0

        var all: Int { buffersInFeed + buffersInOutput + titles + laid + queued + wishes + livingItems }

        var description: String {
            "\(hour) h: \(buffersInFeed) buffers read, \(buffersInOutput) in the output, \(titles) titles, "
                + "\(laid) of \(queued) items laid, \(wishes) wake-ups, \(livingItems) items alive, \(residentKilobytes) kB"
        }
    }

    struct Outcome: Sendable {
        var held: [Held]
        var complaints: [String]
        var time: Double
        var endings: Int
        var stalls: Int
    }

    static let hours = [1, 6, 12, 24]

    private static func held(_ simulation: Simulation, hour: Int, living: Int) -> Held {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return Held(
            hour: hour, buffersInFeed: simulation.items.reduce(0) { $0 + ($1.feed?.state.waitingCount ?? 0) },
            buffersInOutput: (simulation.route as? SimulatedRoute)?.bufferCount ?? 0,
            titles: simulation.items.reduce(0) { $0 + ($1.feed?.state.titles.count ?? 0) },
            laid: simulation.player.engine.schedule.items.count, queued: simulation.player.items.count,
            wishes: simulation.world.wishCount, livingItems: living,
            residentKilobytes: pages.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * 4 } ?? 0)
    }

    /// Makes a simulation that wakes about once in five seconds, which is late for a player but enough.
    private static func simulation(_ output: Simulation.Output, _ action: PlayerEngine.EndAction)
        -> Simulation
    {
        let simulation = Simulation(output, endAction: action, lateness: .milliseconds(4900))
        simulation.keepsNotes = false
        simulation.lookInterval = 60
        return simulation
    }

    static func stream(_ output: Simulation.Output) -> Outcome {
        let simulation = simulation(output, .pause)
        let one = simulation.add(
            "radio",
            .live {
                ($0.piece, $0.speed, $0.titleInterval) = (10, 20, 60)
                $0.events = [(1, .speed(1))]
            })
        simulation.setRate(1)
        var all: [Held] = []
        for hour in hours {
            simulation.run(until: Double(hour) * 3600)
            all.append(held(simulation, hour: hour, living: simulation.items.count))
        }
        return Outcome(
            held: all, complaints: simulation.complaints, time: simulation.player.currentTime.seconds,
            endings: 0, stalls: one.item.state.stallCount)
    }

    /// Plays songs of three minutes, with five in the queue at any time.
    static func queue() -> Outcome {
        let simulation = simulation(.local, .advance)
        let living = Living()
        var (made, endings) = (0, 0)
        func fill() {
            while simulation.player.items.count < 5 {
                var server = SimulatedServer()
                (server.duration, server.piece, server.speed) = (180, 10, 10)
                let one = simulation.add("song\(made)", server)
                living.add(one)
                made += 1
            }
            for one in simulation.items where one.item.owner == nil {
                endings += simulation.contract.items[one.name]?.ended ?? 0
                simulation.contract.items[one.name] = nil
                simulation.forget(one)
            }
        }
        fill()
        simulation.setRate(1)
        var all: [Held] = []
        for hour in hours {
            while simulation.world.seconds < Double(hour) * 3600 {
                simulation.run(until: simulation.world.seconds + 60)
                fill()
            }
            all.append(held(simulation, hour: hour, living: living.count))
        }
        return Outcome(
            held: all, complaints: simulation.complaints, time: simulation.world.seconds, endings: endings,
            stalls: 0)
    }

    private final class Living {
        private struct Weak { weak var item: PlayerItem? }

        private var all: [Weak] = []

        func add(_ one: SimulatedItem) { all.append(Weak(item: one.item)) }

        var count: Int { all.filter { $0.item != nil }.count }
    }

    /// Expects counts that are small and about the same at each look.
    private func expectFlat(_ outcome: Outcome, limit: Int) {
        Attachment.record(outcome.held.map(\.description).joined(separator: "\n"), named: "held.txt")
        #expect(outcome.complaints == [])
        let counts = outcome.held.map(\.all)
        #expect((counts.max() ?? .max) <= limit, "\(outcome.held)")
        #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 8, "\(outcome.held)")
    }

    @Test(
        "a live stream holds as many objects after a day as after an hour",
        arguments: [Simulation.Output.local, .speaker])
    func stream(output: Simulation.Output) async {
        let outcome = await LongWork.run { Self.stream(output) }
        expectFlat(outcome, limit: 60)
        #expect(outcome.stalls == 0)
        // The whole stream was heard except for its start.
        #expect(outcome.time > 24 * 3600 - 5, "\(outcome.time)")
    }

    @Test("a queue of songs holds as many objects after a day as after an hour")
    func queue() async {
        let outcome = await LongWork.run { Self.queue() }
        expectFlat(outcome, limit: 40)
        #expect((470...480).contains(outcome.endings), "\(outcome.endings)")
    }
}
