import MediaTime

/// One giving of a command.
open class MPRemoteCommandEvent: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`, in the subclasses too.

    /// What was given.
    open private(set) var command: MPRemoteCommand
    /// When, in seconds of the host clock.
    open private(set) var timestamp: TimeInterval

    init(_ command: MPRemoteCommand, at time: HostTime) {
        self.command = command
        timestamp = Double(time.nanoseconds) / 1e9
        super.init()
    }
}
