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
