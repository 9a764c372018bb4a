internal import Glibc

/// The kernel's measurement of the way to the peer and back, from `TCP_INFO`.
public struct TCPRoundTrip: Hashable, Sendable {
    /// The least within the kernel's window (five minutes by default): the way without queues.
    public var minimum: Duration
    /// The kernel's moving mean.
    public var smoothed: Duration

    public init(minimum: Duration, smoothed: Duration) {
        self.minimum = minimum
        self.smoothed = smoothed
    }
}

extension TCPRoundTrip {
    /// `nil` before the first sample (the handshake gives one) or on a kernel too old to tell.
    init?(of socket: SocketDescriptor) {
        // The C library's tcp_info ends before the minimum, so the kernel's layout is read by offset.
        var info = [UInt32](repeating: 0, count: 64)
        var length = socklen_t(info.count * MemoryLayout<UInt32>.size)
        guard getsockopt(socket.number, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0,
            Int(length) >= Self.minimumOffset + 4
        else { return nil }
        let smoothed = info[Self.smoothedOffset / 4]
        let minimum = info[Self.minimumOffset / 4]
        guard smoothed > 0, minimum != .max else { return nil }
        self.init(minimum: .microseconds(Int64(minimum)), smoothed: .microseconds(Int64(smoothed)))
    }

    /// Byte offset of `tcpi_rtt`, microseconds.
    private static let smoothedOffset = 68
    /// Byte offset of `tcpi_min_rtt`, microseconds.
    private static let minimumOffset = 148
}
