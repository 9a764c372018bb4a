import MediaTime
import Playback

/// The two ends of winding.
public enum MPSeekCommandEventType: UInt, Sendable {
    /// The button went down.
    case beginSeeking = 0
    /// The button went up.
    case endSeeking = 1
}

/// Winding begins or ends; the command says in which direction.
open class MPSeekCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Whether the button went down or up.
    public let type: MPSeekCommandEventType

    init(_ command: MPRemoteCommand, _ phase: RemoteCommand.SeekPhase, at time: HostTime) {
        type = phase == .begin ? .beginSeeking : .endSeeking
        super.init(command, at: time)
    }
}
