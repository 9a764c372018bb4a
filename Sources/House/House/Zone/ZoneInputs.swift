import Playback

/// The playback of an input: the interface between the house, which decides, and the playback API. Any
/// thread.
protocol LiveInputPlaying: AnyObject, Sendable {
    /// Plays what comes.
    func start()
    /// Falls silent, and drops what comes until it has been silent once.
    func decline()
    /// Falls silent; sound that comes afterwards is reported.
    func stop()
}

extension LivePlayer: LiveInputPlaying {}

/// A report of an input.
enum InputEvent: Sendable, Hashable {
    case live(LiveEvent)
    /// A user set the volume at the source, in percent.
    case volume(Double)
}

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

    func close() async {
        player.stop()
        listening.cancel()
        await input.source.close()
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
