import Playback
import TuttiMusicLibrary

/// An input of a zone. Belongs to the house's actor.
final class ZoneInput {
    let input: HouseInput
    let player: any LiveInputPlaying
    /// Reads the events of the input.
    let listening: Task<Void, Never>
    /// The volume that the source shows.
    var shownVolume: Double?
    /// Sound has come during an announcement, which it waits for.
    var waits = false

    init(_ input: HouseInput, player: any LiveInputPlaying, listening: Task<Void, Never>) {
        (self.input, self.player, self.listening) = (input, player, listening)
    }

    var name: String { input.snapshot.name }

    func start() { player.start() }

    func decline() {
        waits = false
        player.decline()
        input.source.phaseDidChange()
    }

    func stop() {
        player.stop()
        input.source.phaseDidChange()
    }
}

/// The input that is heard in a zone, or about to be.
struct ActiveInput {
    let input: ZoneInput
    /// The Unix time of its beginning.
    let since: Double
    /// A user paused it: its sound is dropped.
    var isPaused = false
    /// Whether its sound is heard.
    var isRunning = false

    var state: ZoneSnapshot.State { isPaused ? .paused : isRunning ? .playing : .waiting }
}

/// The inputs of a zone, and the one that is heard in place of the queue. Belongs to the house's actor.
struct ZoneInputs {
    private var sources: [ZoneInput] = []
    /// The source that is heard, or about to be; `nil` for the queue.
    var active: ActiveInput?

    var isEmpty: Bool { sources.isEmpty }

    func input(_ name: String) -> ZoneInput? { sources.first { $0.name == name } }

    mutating func add(_ input: ZoneInput) { sources.append(input) }

    /// Ends all inputs.
    ///
    /// - Returns: The task that ends when others may take their places.
    mutating func removeAll() -> Task<Void, Never> {
        let closing = sources.map { input in
            input.player.stop()
            input.listening.cancel()
            return input.input.source
        }
        (sources, active) = ([], nil)
        return Task { for source in closing { await source.close() } }
    }

    /// Lets the active input play, unless it is paused.
    func startActive() {
        guard let active, !active.isPaused else { return }
        active.input.start()
    }

    /// Lets the sound that has come during an announcement arrive anew.
    func wake() {
        for input in sources where input.waits {
            input.waits = false
            if active?.input !== input { input.stop() }
        }
    }

    /// Shows the active input as the current entry.
    func show(in snapshot: inout ZoneSnapshot, at time: Double) {
        snapshot.inputs = sources.map(\.input.snapshot)
        guard let active else { return }
        let description = active.input.input.snapshot
        snapshot.input = description
        (snapshot.index, snapshot.streamTitle) = (nil, nil)
        snapshot.current = QueueEntry(
            id: EntryID(rawValue: 0),
            track: PlayableTrack(location: "input:\(description.name)", title: description.name, isLive: true)
        )
        (snapshot.position, snapshot.rate) = (max(0, time - active.since), 1)
    }

    /// Shows a volume at all inputs.
    func showVolume(_ percent: Double) {
        for input in sources where abs(percent - (input.shownVolume ?? -1)) > 0.5 {
            input.shownVolume = percent
            input.input.source.setVolume(percent)
        }
    }
}
