import TuttiMediaTime
import TuttiSystemIO

/// The sockets of a clock and the means by which it is shared: all that the clock's thread starts with.
struct ClockEntry: Sendable {
    struct Shared: Sendable {
        let listener: LocalListener
        let lease: SharedLease
        /// The file path of the listener.
        let path: String
        /// The connection to the serving program; `nil` in that program.
        var channel: LocalChannel?
        var tenure: ClockTenure
    }

    let identity: ClockIdentity
    let sockets: ClockSockets
    /// The sharing state; `nil` for a clock of one program alone.
    var shared: Shared?
}
