import Testing

@testable import Playback

/// The starts of a player whose server is as slow as its playback, or slower. Times are in seconds after the request.
@Suite("Waiting for a slow server")
struct SlowServerTests {
    private static func server(
        _ speed: Double, _ change: (inout SimulatedServer) -> Void = { _ in }
    ) -> SimulatedServer {
        var server = SimulatedServer()
        (server.openDelay, server.speed, server.duration) = (0, speed, 100)
        change(&server)
        return server
    }

    /// Plays one item, and returns when playback began and when it stalled.
    private static func play(
        _ server: SimulatedServer, until end: Double
    ) -> (starts: [Double], stalls: [Double], hasEnded: Bool) {
        let simulation = Simulation(.silent)
        _ = simulation.add("a", server)
        simulation.setRate(1)
        simulation.run(until: end)
        let notes = simulation.notes
        return (
            notes.filter { $0.what == "control" && $0.value == "playing" }.map(\.at),
            notes.filter { $0.value == "stalled" }.map(\.at), notes.contains { $0.value == "ended" }
        )
    }

    @Test("at half the needed rate, playback begins when it lasts for 18 s")
    func half() throws {
        let played = Self.play(Self.server(0.5), until: 60)
        let (start, stall) = (try #require(played.starts.first), try #require(played.stalls.first))
        #expect((17.5...18.8).contains(start), "\(start)")
        #expect((17.5...19).contains(stall - start), "\(stall - start)")
    }

    @Test("at half the needed rate, a short item begins when it can be played to its end")
    func short() throws {
        let played = Self.play(Self.server(0.5) { $0.duration = 12 }, until: 40)
        let start = try #require(played.starts.first)
        #expect((12...15.5).contains(start), "\(start)")
        #expect(played.starts.count == 1 && played.stalls == [] && played.hasEnded)
    }

    @Test("at exactly the needed rate, two seconds suffice")
    func exact() throws {
        let played = Self.play(Self.server(1), until: 110)
        let start = try #require(played.starts.first)
        #expect((1.9...2.4).contains(start), "\(start)")
        #expect(played.stalls == [] && played.hasEnded)
    }

    @Test("the pauses of a server that sends in bursts count: playback goes on for longer than one burst")
    func bursts() throws {
        // 1.5 s of sound at the beginning of each three seconds.
        let server = Self.server(25) { one in
            one.events = (0..<30).flatMap { burst -> [(at: Double, event: SimulatedServer.Event)] in
                let begin = Double(burst) * 3
                return [(begin, .speed(25)), (begin + 0.06, .speed(0))]
            }
        }
        let played = Self.play(server, until: 80)
        #expect(played.starts.count > 1 && played.stalls.count > 1)
        guard played.starts.count > 1, played.stalls.count > 1 else { return }
        // The first burst does not show yet how slow the server is.
        #expect(played.starts[0] < 1 && played.stalls[0] < 3)
        #expect(played.stalls[1] - played.starts[1] > 14, "\(played)")
    }

    @Test("while a server rests, the sound at hand is played")
    func resting() throws {
        // A quarter of the needed rate, then more than a second at once, then nothing.
        let server = Self.server(0.25) { one in
            one.duration = 12
            one.events = [(6.01, .speed(100)), (6.0225, .speed(0)), (30, .speed(100))]
        }
        let played = Self.play(server, until: 60)
        let start = try #require(played.starts.first)
        #expect((7.4...8.2).contains(start), "\(start)")
        #expect(played.stalls.count == 1 && played.starts.count == 2 && played.hasEnded)
    }

    @Test("a wait for a server that is far too slow ends after half a minute")
    func farTooSlow() throws {
        let played = Self.play(Self.server(0.1), until: 40)
        let start = try #require(played.starts.first)
        #expect((29...33).contains(start), "\(start)")
    }

    @Test("a stream of unknown duration begins with two seconds")
    func live() throws {
        let server = SimulatedServer.live {
            ($0.openDelay, $0.speed) = (0, 10)
            $0.events = [(0.05, .speed(0.5))]
        }
        let played = Self.play(server, until: 10)
        let start = try #require(played.starts.first)
        #expect((2.8...3.6).contains(start), "\(start)")
    }

    @Test("a full buffer is likely to keep up, and playback begins")
    func full() {
        let simulation = Simulation(.silent)
        let one = simulation.item("a", Self.server(0.5))
        one.item.setWishes { $0.forwardBufferDuration = 4 }
        simulation.ask(.edit) { simulation.player.insert(one.item, after: nil) }
        simulation.run(until: 12)
        #expect(one.item.state.levels.isFull && one.item.state.levels.isLikelyToKeepUp)
        simulation.setRate(1)
        #expect(simulation.player.machine.control == .playing)
    }

    @Test("without waiting, playback begins with the first sound")
    func withoutWaiting() {
        let simulation = Simulation(.silent)
        simulation.setWaits(false)
        _ = simulation.add("a", Self.server(0.5))
        simulation.setRate(1)
        simulation.run(until: 2)
        let start = simulation.notes.first { $0.what == "control" && $0.value == "playing" }?.at
        #expect(start.map { $0 < 0.7 } == true)
    }
}
