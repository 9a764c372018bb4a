import TuttiMediaTime

/// A task of an ``RTSPClientConnection`` or ``RTSPServerConnection`` for its driver.
package enum RTSPConnectionOutput: Equatable, Sendable {
    /// Write these bytes to the socket, in order.
    case send([UInt8])
    /// Call `handleTimeout(at:)` at this time; replaces an earlier deadline.
    case wake(at: HostTime)
    /// Close the socket after everything sent before.
    case close
}
