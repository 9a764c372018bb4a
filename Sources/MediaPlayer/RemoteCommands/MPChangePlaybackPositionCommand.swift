import MediaTime

/// Goes to a place in the item.
open class MPChangePlaybackPositionCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: adds nothing.
}

/// A wish to go to another place in the item.
open class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Seconds from the start of the item.
    public let positionTime: TimeInterval

    init(_ command: MPRemoteCommand, positionTime: TimeInterval, at time: HostTime) {
        self.positionTime = positionTime
        super.init(command, at: time)
    }
}
