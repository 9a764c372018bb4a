import Testing
import TuttiTestSupport

@testable import Playback

/// A source slower than its playback, played to its end.
///
/// Sound arrives at `s` seconds per second and is played at `r > s`. Playback starts with `L` seconds of
/// sound in the buffer, which shrinks by `r - s` each second. So the buffer is empty after `L / (r - s)`
/// seconds, when `P = r L / (r - s)` seconds of the item were heard. Then time stands still for `L / s`,
/// until `L` seconds have arrived again. An item of `D` seconds stalls after each `P`, but not at its end:
/// `N = ceil(D / P) - 1` times. Each wait but the last lasts `L / s`. The last wait is for the rest
/// `R = D - N P`. It lasts at least `R (1 / s - 1 / r)`, so that the rest arrives while it is played, and at
/// most until all of the rest, or `L` seconds of it, have arrived.
struct StallArithmetic: Sendable, CustomTestStringConvertible {
    var speed: Double
    var rate: Double
    var level: Double
    /// Length of the item as a multiple of the sound between two stalls; not near a whole number.
    var length: Double
    var isRemote = true
    var piece = 0.05

    var testDescription: String { "\(speed) of real time at rate \(rate), from \(level) s" }

    var between: Double { rate * level / (rate - speed) }
    var duration: Double { (between * length * 20).rounded() / 20 }
    var stallCount: Int { Int((duration / between).rounded(.up)) - 1 }
    var rest: Double { duration - Double(stallCount) * between }

    var stalledSeconds: ClosedRange<Double> {
        let whole = Double(stallCount - 1) * level / speed
        // The tolerance for each stall: buffers arrive whole, and the player wakes ten times a second. A
        // stall that begins earlier for that reason leaves more for the last one.
        let grain = Double(stallCount) * (2 * piece / speed + 0.1)
        return whole + rest * (1 / speed - 1 / rate) - grain...whole + min(level, rest) / speed + grain
    }

    /// The last sample cannot be heard before it has arrived.
    var earliestEnd: Double { duration / speed }
    var latestEnd: Double { earliestEnd + level / rate + 1 }

    static let all = [
        StallArithmetic(speed: 0.9, rate: 1, level: 2, length: 6.5),
        StallArithmetic(speed: 0.5, rate: 1, level: 9, length: 4.4),
        StallArithmetic(speed: 0.99, rate: 1, level: 2, length: 2.5, piece: 0.02),
        StallArithmetic(speed: 0.7, rate: 1, level: 5.4, length: 4.6),
        StallArithmetic(speed: 1.8, rate: 2, level: 4, length: 4.5),
        StallArithmetic(speed: 1, rate: 2, level: 10, length: 3.5),
        StallArithmetic(speed: 0.25, rate: 0.5, level: 4.5, length: 3.5),
        StallArithmetic(speed: 0.5, rate: 1, level: 9, length: 3.5, isRemote: false, piece: 0.01),
    ]
}

@Suite("Stalls compared with arithmetic")
struct StallArithmeticTests {
    struct Outcome: Sendable {
        var stalls: Int
        var counted: Int
        var stalled: Double
        var end: Double?
        var complaints: [String]
    }

    static func play(_ sum: StallArithmetic) -> Outcome {
        let simulation = Simulation(.silent)
        var server = SimulatedServer()
        (server.openDelay, server.speed, server.duration) = (0, sum.speed, sum.duration)
        (server.isRemote, server.piece) = (sum.isRemote, sum.piece)
        let one = simulation.add("a", server)
        simulation.setRate(Float(sum.rate))
        simulation.run(until: sum.latestEnd + 20)
        var (stalled, since) = (0.0, Double?.none)
        for note in simulation.notes {
            if note.value == "stalled" { since = note.at }
            if note.what == "control", note.value == "playing", let begin = since {
                stalled += note.at - begin
                since = nil
            }
        }
        return Outcome(
            stalls: simulation.notes.filter { $0.value == "stalled" }.count,
            counted: one.item.state.stallCount, stalled: stalled,
            end: simulation.notes.first { $0.value == "ended" }?.at, complaints: simulation.complaints)
    }

    @Test(
        "the number and length of stalls follow from the start level and the speed",
        arguments: StallArithmetic.all)
    func stalls(sum: StallArithmetic) async throws {
        let outcome = await LongWork.run { Self.play(sum) }
        #expect(outcome.complaints == [])
        #expect(sum.stallCount > 1)
        #expect(outcome.stalls == sum.stallCount && outcome.counted == sum.stallCount)
        #expect(sum.stalledSeconds.contains(outcome.stalled), "\(outcome.stalled) of \(sum.stalledSeconds)")
        let end = try #require(outcome.end)
        #expect(end >= sum.earliestEnd - 1e-6 && end <= sum.latestEnd, "\(end)")
    }

    @Test("a source at least as fast as its sound never stalls", arguments: [1, 1.01, 1.3, 2])
    func none(speed: Double) async {
        let sum = StallArithmetic(speed: speed, rate: 1, level: 2, length: 0)
        let (stalls, complaints, end) = await LongWork.run {
            let simulation = Simulation(.local)
            var server = SimulatedServer()
            (server.speed, server.duration) = (sum.speed, 300)
            _ = simulation.add("a", server)
            simulation.setRate(1)
            simulation.run(until: 310)
            let notes = simulation.notes
            return (
                notes.filter { $0.value == "stalled" }.count, simulation.complaints,
                notes.first { $0.value == "ended" }?.at
            )
        }
        #expect(stalls == 0 && complaints == [])
        #expect(end.map { $0 < 303 } == true)
    }
}
