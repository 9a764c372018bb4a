import MediaTime
import Playback

/// The two ends of winding.
public enum MPSeekCommandEventType: UInt, Sendable {
    case beginSeeking = 0
    case endSeeking = 1
}

/// Winding begins or ends; the command says in which direction.
open class MPSeekCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    public let type: MPSeekCommandEventType

    init(_ command: MPRemoteCommand, _ phase: RemoteCommand.SeekPhase, at time: HostTime) {
        type = phase == .begin ? .beginSeeking : .endSeeking
        super.init(command, at: time)
    }
}
