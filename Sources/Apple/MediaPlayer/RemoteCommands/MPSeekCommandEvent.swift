import Playback
import TuttiMediaTime

/// Start or end of fast seeking.
public enum MPSeekCommandEventType: UInt, Sendable {
    /// The user pressed the button.
    case beginSeeking = 0
    /// The user released the button.
    case endSeeking = 1
}

/// An event at the start or end of fast seeking; the command gives the direction.
open class MPSeekCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Whether seeking starts or ends.
    public let type: MPSeekCommandEventType

    init(_ command: MPRemoteCommand, _ phase: RemoteCommand.SeekPhase, at time: HostTime) {
        type = phase == .begin ? .beginSeeking : .endSeeking
        super.init(command, at: time)
    }
}
