import AirPlayMessages
import Synchronization
import TuttiDiscovery
import TuttiMediaTime
import TuttiSystemIO

/// A browser for speakers on the network, active while a search is open.
final class SpeakerFinder: Sendable {
    private struct State {
        var searches = 0
        var task: Task<Void, Never>?
        var speakers: [DiscoveredSpeaker] = []
        /// The time at which each of them appeared.
        var appearances: [SpeakerID: HostTime] = [:]
    }

    private let machine: any Machine
    private let state = Mutex(State())
    /// Called after each change of ``speakers``, on any thread.
    let changes = Watchers<Void>()

    init(machine: any Machine) { self.machine = machine }

    /// The speakers now announced on the network, sorted by name; empty without a search.
    var speakers: [DiscoveredSpeaker] { state.withLock { $0.speakers } }

    func search() -> RouteObservation {
        state.withLock { state in
            state.searches += 1
            if state.task == nil { state.task = Task { [weak self] in await self?.follow() } }
        }
        return RouteObservation { [weak self] in self?.endSearch() }
    }

    private func endSearch() {
        let isOver = state.withLock { state in
            state.searches -= 1
            guard state.searches == 0 else { return false }
            state.task?.cancel()
            (state.task, state.speakers, state.appearances) = (nil, [], [:])
            return true
        }
        if isOver { changes.tell(()) }
    }

    /// Returns a speaker that was found; if it has just appeared without its AirPlay 2 record, waits for that record.
    ///
    /// - Returns: `nil` if the speaker is not on the network.
    func completed(_ id: String) async -> DiscoveredSpeaker? {
        while true {
            let (speaker, appeared) = state.withLock { state in
                let speaker = state.speakers.first { $0.id.description == id }
                return (speaker, speaker.flatMap { state.appearances[$0.id] })
            }
            guard let speaker, let appeared,
                speaker.players.contains(where: { $0.receiver.lacksAirPlay2Record })
            else { return speaker }
            if machine.now.since(appeared) >= SpeakerSearch.airPlay2Time { return speaker }
            do { try await machine.sleep(for: Self.tick) } catch { return speaker }
        }
    }

    private static let tick = Duration.milliseconds(25)

    private func follow() async {
        // No multicast DNS, as in a container without a network: no speakers are found.
        while !Task.isCancelled {
            if let events = try? await ServiceBrowser().events(settling: .milliseconds(200)) {
                await follow(events)
            }
            // The network may not be ready yet, as at the start of a machine.
            do { try await machine.sleep(for: Self.pause) } catch { return }
        }
    }

    /// The pause between two attempts to search.
    private static let pause = Duration.seconds(5)

    private func follow(_ events: AsyncStream<DiscoveryEvent>) async {
        var directory = SpeakerDirectory()
        for await event in events {
            if Task.isCancelled { return }
            _ = directory.apply(event)
            // Other devices announce the same records only to be shown or controlled.
            let playable = directory.speakers.filter { $0.traits.speaksAirPlay1 || $0.traits.speaksAirPlay2 }
            let isChange = state.withLock { state in
                guard state.searches > 0, state.speakers != playable else { return false }
                state.speakers = playable
                let now = machine.now
                state.appearances = Dictionary(
                    playable.map { ($0.id, state.appearances[$0.id] ?? now) }, uniquingKeysWith: min)
                return true
            }
            if isChange { changes.tell(()) }
        }
    }
}
