import AirPlaySender
import CoreMedia
import Testing
import TuttiAudioOutput
import TuttiMediaTime
import TuttiRouteTestSupport
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("Publications on the speakers of a route", .timeLimit(.minutes(10)))
struct PublishedTracksTests {
    private struct NoDevice: Error {}

    let clock = ManualClock(HostTime(nanoseconds: 1_000_000_000))
    let hub: NowPlayingHub
    let catalogue: RouteCatalogue
    let output = ScriptedPacketOutput(deviceRate: nil)
    let route: PacketRoute

    init() {
        let clock = clock
        hub = NowPlayingHub(machine: SystemMachine(clock: clock), routes: { FakeRoutes() })
        var system = MachineDevices.System(machine: SystemMachine())
        system.sinks = { [] }
        system.preferred = { throw NoDevice() }
        catalogue = RouteCatalogue(
            memory: RouteMemory(environment: ["XDG_STATE_HOME": "/nonexistent"], machine: SystemMachine()),
            devices: LocalDevices(
                environment: [:], shared: MachineDevices(system: system, machine: SystemMachine())),
            speakers: SpeakerSurface(
                hub: hub, machine: SystemMachine(clock: clock), routes: { FakeRoutes() }),
            pairings: SpeakerPairings(), machine: SystemMachine())
        catalogue.setWarningHandler(nil)
        route = PacketRoute(output: output, policy: WireFormatPolicy(), depth: .buffered, clock: clock)
        output.answerStarts { clock.now }
    }

    /// Makes a queue that holds the speakers, on a timeline of its own.
    private func makeHolder() -> (RenderQueue, PlaybackTimeline) {
        let queue = catalogue.makeQueue()
        let timeline = PlaybackTimeline(machine: SystemMachine(clock: clock))
        _ = timeline.add(queue)
        give(to: queue)
        return (queue, timeline)
    }

    private func give(to queue: RenderQueue) {
        catalogue.routing.state.withLock { state in
            state.hold.route = route
            state.hold.note(queue, on: route)
        }
        queue.move(to: route)
        catalogue.routing.updateLine()
    }

    private func publish(_ title: String, elapsed: Double) {
        var snapshot = NowPlayingSnapshot(at: clock.now)
        (snapshot.title, snapshot.artist, snapshot.elapsed) = (title, "Artist", elapsed)
        snapshot.duration = 100
        hub.publish(snapshot)
    }

    /// Waits until the tracks for the displays are `expected`, as `TITLE at SECOND`.
    private func shown(_ expected: String) async throws {
        _ = try await output.shown.wait(for: expected) { Self.text(of: $0) == expected ? 1 : nil }
    }

    private var text: String { Self.text(of: output.shown.value) }

    private static func text(of tracks: [ScheduledTrack]) -> String {
        tracks.map { "\($0.metadata.dmap.title ?? "-") at \(Double($0.frame) / 44_100)" }
            .joined(separator: ", ")
    }

    @Test("a publication is placed by the line of the queue that holds the speakers")
    func published() async throws {
        let (queue, timeline) = makeHolder()
        publish("A", elapsed: 0)
        try await shown("A at 0.0")
        timeline.delaysRateChangeUntilHasSufficientMediaData = false
        timeline.setRate(1, time: .zero, hostTime: nil)
        for _ in 0..<2000 where timeline.line.rate == 0 { await route.settle() }
        clock.advance(by: .seconds(60))
        // The next track, ten seconds after it began to be heard.
        publish("B", elapsed: 10)
        try await shown("B at 50.0")
        // Time jumps; the item continues where it was.
        timeline.setRate(0, time: CMTime(value: 500, timescale: 1), hostTime: nil)
        try await shown("B at 490.0")
        withExtendedLifetime(queue) {}
    }

    @Test("a publication made on another output is shown once the speakers are selected")
    func chosenLater() async throws {
        let queue = catalogue.makeQueue()
        let timeline = PlaybackTimeline(machine: SystemMachine(clock: clock))
        _ = timeline.add(queue)
        timeline.setRate(0, time: CMTime(value: 30, timescale: 1), hostTime: nil)
        publish("A", elapsed: 12)
        #expect(text.isEmpty)
        give(to: queue)
        try await shown("A at 18.0")
        // A new room or a new format needs everything again.
        output.setTracks([])
        catalogue.routing.updateDisplays()
        try await shown("A at 18.0")
    }

    @Test("a publication replaces the program's list of tracks until it is cleared")
    func precedence() async throws {
        let (queue, timeline) = makeHolder()
        var listed = TrackMetadata(dmap: .init())
        listed.dmap.title = "Listed"
        catalogue.show([PresentedTrack(start: .zero, duration: .invalid, metadata: listed)])
        try await shown("Listed at 0.0")
        publish("Published", elapsed: 0)
        try await shown("Published at 0.0")
        hub.publish(.nothing(at: clock.now))
        try await shown("Listed at 0.0")
        catalogue.show([])
        try await shown(" at 0.0")
        withExtendedLifetime((queue, timeline)) {}
    }

    @Test("publications follow the line of the player that currently holds the speakers")
    func turns() async throws {
        let (first, older) = makeHolder()
        publish("A", elapsed: 0)
        try await shown("A at 0.0")
        let second = catalogue.makeQueue()
        let newer = PlaybackTimeline(machine: SystemMachine(clock: clock))
        _ = newer.add(second)
        newer.setRate(0, time: CMTime(value: 1000, timescale: 1), hostTime: nil)
        first.move(to: SilentRoute())
        give(to: second)
        publish("B", elapsed: 4)
        try await shown("B at 996.0")
        older.setRate(0, time: CMTime(value: 77, timescale: 1), hostTime: nil)
        try await shown("B at 996.0")
        _ = newer.remove(second)
        #expect(catalogue.routing.state.withLock { $0.hold.queue?.timeline } == nil)
    }
}
