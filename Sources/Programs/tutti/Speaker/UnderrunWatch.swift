import AirPlayReceiver
import Synchronization

/// The underruns that are outages. A sender that pauses or leaves right after its sound ran out has sent all that it
/// had: the end of a track, or a source of its own that is late. Any thread.
final class UnderrunWatch: Sendable {
    private struct State {
        /// The count at the last look.
        var count = 0
        /// The warning of an underrun at the last look, told unless the sender pauses before the next one.
        var pending: SpeakerEvent?
        /// Whether the sender has paused since the last look.
        var hasPaused = false
    }

    private let state = Mutex(State())

    /// Takes an event of the speaker.
    func note(_ event: SpeakerEvent) {
        switch event {
        case .playing(false), .sessionEnded: state.withLock { ($0.pending, $0.hasPaused) = (nil, true) }
        default: break
        }
    }

    /// Looks at the status.
    ///
    /// - Returns: The warning of an outage, one look after it began; `nil` if there is none.
    func look(_ status: SpeakerStatusLine) -> SpeakerEvent? {
        state.withLock { state in
            let due = state.pending
            let count = status.stream?.underrunCount ?? state.count
            let isOutage = count > state.count && !state.hasPaused && status.stream?.isPlaying == true
            state.pending = isOutage ? status.underrunWarning : nil
            (state.count, state.hasPaused) = (count, false)
            return due
        }
    }
}
