import TuttiMediaTime

/// One use of a command.
open class MPRemoteCommandEvent: NSObject, @unchecked Sendable {
    // Safe to share: immutable after `init`, subclasses included.

    /// The command that the user gave.
    open private(set) var command: MPRemoteCommand
    /// The time of the event, in seconds of the host clock.
    open private(set) var timestamp: TimeInterval

    init(_ command: MPRemoteCommand, at time: HostTime) {
        self.command = command
        timestamp = Double(time.nanoseconds) / 1e9
        super.init()
    }
}
