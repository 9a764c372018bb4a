import Testing
import TuttiTestSupport

@testable import Playback

/// A server, with the settings and the output for playing from it.
struct Scenario: Sendable, CustomTestStringConvertible {
    let name: String
    let server: SimulatedServer
    let how: Listening
    let output: Simulation.Output
    let lateness: Duration

    var testDescription: String { "\(name): \(how), \(output)" }

    /// Seconds after which everything has happened.
    static let limit = 300.0

    static let all: [Scenario] = servers.enumerated().flatMap { row, server in
        ways.enumerated().map { column, how in
            let outputs = Simulation.Output.allCases
            return Scenario(
                name: server.0, server: server.1, how: how, output: outputs[(row + column) % outputs.count],
                lateness: .zero)
        }
    }

    static let ways: [Listening] = [
        Listening(), Listening(waits: false), Listening(isImmediate: true), Listening(rate: 2),
        Listening(rate: 0.5, wish: 20), Listening(rate: 2, waits: false), Listening(wish: 5),
    ]

    static func server(_ change: (inout SimulatedServer) -> Void) -> SimulatedServer {
        var server = SimulatedServer()
        server.duration = 40
        change(&server)
        return server
    }

    static let servers: [(String, SimulatedServer)] = [
        ("fast", server { $0.speed = 4 }),
        ("a file", server { ($0.speed, $0.isRemote, $0.openDelay) = (200, false, 0.01) }),
        (
            "slow at first",
            server {
                $0.speed = 0.2
                $0.events = [(5, .speed(5))]
            }
        ),
        (
            "a short stop",
            server {
                $0.speed = 6
                $0.events = [(5, .speed(0)), (6.2, .speed(6))]
            }
        ),
        (
            "a long stop",
            server {
                $0.speed = 4
                $0.events = [(6, .speed(0)), (66, .speed(4))]
            }
        ),
        (
            "two long stops",
            server {
                $0.speed = 4.4
                $0.events = [(3, .speed(0)), (53, .speed(4.4)), (55, .speed(0)), (110, .speed(4.4))]
            }
        ),
        (
            "dies",
            server {
                $0.speed = 1.5
                $0.events = [(9.1, .fails)]
            }
        ),
        ("is not there", server { $0.events = [(0.01, .fails)] }),
        (
            "stops, then dies",
            server {
                $0.speed = 3.1
                $0.events = [(6, .speed(0)), (90, .fails)]
            }
        ),
        ("brings less", server { ($0.speed, $0.delivered) = (3.3, 12.1) }),
        ("too slow", server { $0.speed = 0.83 }),
        ("far too slow", server { $0.speed = 0.31 }),
        ("short", server { $0.duration = 0.6 }),
        ("as long as the level", server { $0.duration = 2 }),
        ("cannot be sought", server { ($0.isSeekable, $0.speed) = (false, 5) }),
        (
            "live",
            .live {
                $0.speed = 10
                $0.events = [(0.7, .speed(1))]
            }
        ),
        (
            "live with an end",
            .live {
                $0.speed = 10
                $0.events = [(0.7, .speed(1)), (30.1, .ends)]
            }
        ),
        (
            "live with a stop",
            .live {
                $0.speed = 10
                $0.events = [(0.7, .speed(1)), (20, .speed(0)), (45, .speed(1))]
            }
        ),
        (
            "live, dies",
            .live {
                $0.speed = 10
                $0.events = [(0.7, .speed(1)), (25.1, .fails)]
            }
        ),
    ]
}

@Suite("Playback from simulated servers")
struct ScenarioTests {
    struct Outcome: Sendable {
        var notes: [Note]
        var complaints: [String]
        var time: Double
        var looks: Int
    }

    static func play(_ scenario: Scenario) -> Outcome {
        let simulation = Simulation(scenario.output, lateness: scenario.lateness)
        let one = simulation.item("a", scenario.server)
        one.item.setWishes { $0.forwardBufferDuration = scenario.how.wish }
        simulation.setWaits(scenario.how.waits)
        simulation.ask(.edit) { simulation.player.insert(one.item, after: nil) }
        if scenario.how.isImmediate {
            simulation.playImmediately(scenario.how.rate)
        } else {
            simulation.setRate(scenario.how.rate)
        }
        simulation.run(until: Scenario.limit)
        return Outcome(
            notes: simulation.notes, complaints: simulation.complaints,
            time: simulation.player.currentTime.seconds,
            looks: simulation.contract.looks)
    }

    /// Expects each notification to lie between the two forecasts.
    private func expect(
        _ told: [Note], _ early: [Forecast.Event], _ late: [Forecast.Event], _ comment: Comment
    ) {
        // Sequences can be compared only if both forecasts agree.
        #expect(
            early.map(\.what) == late.map(\.what), "the forecasts of \(comment) differ: \(early), \(late)")
        #expect(told.map(\.value) == late.map(\.what), "\(comment): \(told), expected \(late)")
        guard told.count == late.count, early.count == late.count else { return }
        for (note, (one, other)) in zip(told, zip(early, late)) {
            let range = min(one.at, other.at) - Self.patience...max(one.at, other.at) + Self.patience
            #expect(range.contains(note.at), "\(comment): \(note), expected in \(range)")
        }
    }

    /// Tolerance in seconds: a player wakes ten times a second, and buffers arrive whole.
    private static let patience = 0.6

    @Test("a player behaves as the reference says, in order and in time", arguments: Scenario.all)
    func scenario(scenario: Scenario) async {
        let outcome = await LongWork.run { Self.play(scenario) }
        #expect(outcome.complaints == [])
        #expect(outcome.looks >= 10)
        let output = Simulation.depth(of: scenario.output)
        let early = Forecast(
            scenario.server, scenario.how, output, trustsSpeed: true, until: Scenario.limit)
        let late = Forecast(scenario.server, scenario.how, output, trustsSpeed: false, until: Scenario.limit)
        expect(outcome.notes.filter { $0.what == "control" }, early.transport, late.transport, "control")
        expect(outcome.notes.filter { $0.what == "notice" }, early.notices, late.notices, "notices")
        expect(outcome.notes.filter { $0.what == "empty" }, early.empties, late.empties, "empty")
        expect(
            outcome.notes.filter { $0.who == "a" && $0.what == "status" }, early.statuses, late.statuses,
            "status")
        let places = [early.playhead, late.playhead]
        #expect(
            ((places.min() ?? 0) - Self.patience...(places.max() ?? 0) + Self.patience).contains(outcome.time)
        )
    }

    @Test("late wake-ups do not change the sequence of notifications", arguments: Scenario.servers.indices)
    func late(index: Int) async {
        let (name, server) = Scenario.servers[index]
        let scenario = Scenario(
            name: name, server: server, how: Listening(), output: .local, lateness: .milliseconds(40))
        let outcome = await LongWork.run { Self.play(scenario) }
        #expect(outcome.complaints == [])
        let forecast = Forecast(
            server, scenario.how, Simulation.depth(of: .local), trustsSpeed: false, until: Scenario.limit)
        #expect(outcome.notes.filter { $0.what == "control" }.map(\.value) == forecast.transport.map(\.what))
        #expect(outcome.notes.filter { $0.what == "notice" }.map(\.value) == forecast.notices.map(\.what))
    }
}
