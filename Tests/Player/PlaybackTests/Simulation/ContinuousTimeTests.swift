import CoreMedia
import Testing

@testable import Playback

@Suite("The current time, read at any moment")
struct ContinuousTimeTests {
    /// Readings of a player's time, which must neither go back nor run faster than the host's.
    private final class Readings {
        private var last: (item: PlayerItem, at: Double, time: Double)?
        /// The next reading, after a jump; `nil` for any.
        private var expected: Double?
        private(set) var faults: [String] = []
        private(set) var count = 0

        func jumps(to time: Double) { (last, expected) = (nil, time) }

        func add(_ item: PlayerItem?, at: Double, time: Double) {
            guard let item else { return last = nil }
            count += 1
            if let expected, abs(time - expected) > 1e-6 {
                faults.append("at \(at): \(time) in place of \(expected)")
            }
            if let last, last.item === item {
                let passed = time - last.time
                if passed < -1e-6 { faults.append("at \(at): back by \(-passed)") }
                if passed > at - last.at + 1e-6 { faults.append("at \(at): ahead by \(passed)") }
            }
            last = (item, at, time)
            expected = nil
        }
    }

    @Test(
        "the current time neither goes back nor leaps through a start, a pause, a seek and the next item",
        arguments: [Simulation.Output.local, .speaker, .silent])
    func time(output: Simulation.Output) throws {
        let simulation = Simulation(output, endAction: .advance)
        let player = try #require(simulation.player as? EnginePlayer)
        let readings = Readings()
        let read = { [unowned player, world = simulation.world] in
            readings.add(player.currentItem, at: world.seconds, time: player.currentTime.seconds)
        }
        player.onAction = read
        func run(until end: Double) {
            while simulation.world.seconds < end - 1e-6 {
                simulation.run(until: min(end, simulation.world.seconds + 0.05))
                read()
            }
        }
        func item(_ name: String, from start: Double, seconds: Double) -> SimulatedItem {
            var server = SimulatedServer()
            (server.duration, server.speed, server.isRemote, server.openDelay) = (seconds, 200, false, 0.01)
            let one = simulation.item(name, server)
            one.item.startTime = SimulatedFeed.time(start)
            return one
        }
        let (a, b) = (item("a", from: 3, seconds: 12), item("b", from: 1, seconds: 20))
        readings.jumps(to: 3)
        simulation.ask(.edit) { _ = player.insert(a.item, after: nil) }
        simulation.ask(.edit) { _ = player.insert(b.item, after: nil) }
        run(until: 0.5)
        simulation.setRate(1)
        run(until: 2)
        simulation.setRate(0)
        run(until: 3)
        simulation.setRate(1)
        run(until: 4)
        readings.jumps(to: 9.5)
        simulation.seek(to: 9.5)
        run(until: 5)
        // The outputs have its beginning already.
        readings.jumps(to: 1)
        simulation.ask(.edit) { player.remove(a.item) }
        run(until: 6)
        readings.jumps(to: 15)
        simulation.seek(to: 15)
        run(until: 9)
        #expect(readings.faults == [])
        #expect(readings.count > 150)
        #expect(player.currentItem === b.item && player.currentTime.seconds > 16)
    }
}
