import Synchronization
import Testing

@testable import Playback

@Suite("The end of a seek")
struct SeekCompletionTests {
    /// The outputs hold up to 20 s already, or the item is read anew from there.
    @Test(
        "a program that is told of it finds the target as the time",
        arguments: [Simulation.Output.local, .speaker, .silent], [Float(0), 1])
    func time(output: Simulation.Output, rate: Float) {
        let simulation = Simulation(output)
        _ = simulation.add(
            "file",
            Scenario.server { ($0.speed, $0.isRemote, $0.openDelay) = (200, false, 0.01) })
        simulation.setRate(rate)
        simulation.run(until: 3)
        let player = simulation.player
        for (index, target) in [5.0, 30, 8, 9.5].enumerated() {
            let told = Recorder()
            simulation.seek(to: target) { [player] isDone in
                told.add(isDone ? player.currentTime.seconds : -1)
            }
            simulation.run(until: Double(4 + index))
            #expect(told.all == [target])
        }
        #expect(simulation.complaints.isEmpty)
    }

    private final class Recorder: Sendable {
        private let times = Mutex<[Double]>([])

        func add(_ time: Double) { times.withLock { $0.append(time) } }

        var all: [Double] { times.withLock { $0 } }
    }
}
