import TuttiMediaTime
import TuttiPCM

/// An output in one server, from its making to its loss.
protocol SinkBackend: AnyObject, Sendable {
    /// Called on the sink's queue.
    func setLatency(_ latency: Duration)
    /// Called on the sink's queue.
    func setVolume(_ volume: MixerVolume)
    /// Removes the output; no report follows. Called on the sink's queue; idempotent.
    func close()
}

/// A report of a ``SinkBackend``, on the sink's queue, in order.
enum SinkReport: Sendable {
    case opened
    case sound(PCMBuffer, heardAt: HostTime)
    case idle
    case volume(MixerVolume)
    /// The output is gone, because of this. The last report.
    case ended(String)
}

/// The reason that no output could be made, in words for the user.
struct SinkFailure: Error, Sendable {
    var text: String
}
