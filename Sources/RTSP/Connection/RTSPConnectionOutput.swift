import MediaTime

/// What an ``RTSPClientConnection`` or ``RTSPServerConnection`` asks its driver to do.
public enum RTSPConnectionOutput: Equatable, Sendable {
    /// Write these bytes to the socket, in order.
    case send([UInt8])
    /// Call `handleTimeout(at:)` at this time; replaces an earlier deadline.
    case wake(at: HostTime)
    /// Close the socket after everything sent before this.
    case close
}
