import TuttiMediaTime
import TuttiPCM

/// A report of a ``SystemSink``.
package enum SystemSinkEvent: Sendable {
    /// At most 20 ms of sound, stereo, `float32`, at the configuration's rate, not scaled by the output's
    /// volume.
    ///
    /// Blocks are in order. Within a run, a block continues where the one before it ended; `heardAt` is the
    /// host time (`CLOCK_MONOTONIC`) at which clients of the server expect its first frame to be heard, so a
    /// later `heardAt` than the end of the block before is a gap, and an earlier one replaces sound that was
    /// not yet heard.
    case sound(PCMBuffer, heardAt: HostTime)
    /// No program plays to the output any more, or the server suspended it. The next sound begins a new run.
    case idle
    /// The volume that the desktop's mixer shows, on the scale of its slider: 100 is full volume, more
    /// amplifies.
    case volume(percent: Double, isMuted: Bool)
    /// The output is in the server, whose name and version follow.
    case ready(server: String)
    /// The output is not in a server, because of this reason in words for the user. Tutti retries.
    case lost(String)
}
