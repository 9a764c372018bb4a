import MediaTime
import SystemIO

/// The sockets of a clock, and the ways by which it is shared: all that the clock's thread begins with.
struct ClockEntry: Sendable {
    struct Shared: Sendable {
        let listener: LocalListener
        let lease: SharedLease
        /// Where the listener is.
        let path: String
        /// To the program that serves; `nil` in that program.
        var channel: LocalChannel?
        var tenure: ClockTenure
    }

    let identity: ClockIdentity
    let sockets: ClockSockets
    /// `nil` for a clock of one program alone.
    var shared: Shared?
}
