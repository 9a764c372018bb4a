import TuttiMediaTime

/// A command to seek in the item.
open class MPChangePlaybackPositionCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: adds nothing.
}

/// An event that requests a seek in the item.
open class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Target time in seconds from the start of the item; 0 or more.
    public let positionTime: TimeInterval

    init(_ command: MPRemoteCommand, positionTime: TimeInterval, at time: HostTime) {
        self.positionTime = positionTime
        super.init(command, at: time)
    }
}
