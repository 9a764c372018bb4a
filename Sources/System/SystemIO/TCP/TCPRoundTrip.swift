import Glibc

/// The kernel's round-trip measurement of a connection, from `TCP_INFO`.
package struct TCPRoundTrip: Hashable, Sendable {
    /// The minimum within the kernel's window (five minutes by default): the path without queueing.
    package var minimum: Duration
    /// The kernel's moving mean.
    package var smoothed: Duration

    /// Creates a measurement.
    package init(minimum: Duration, smoothed: Duration) {
        self.minimum = minimum
        self.smoothed = smoothed
    }
}

extension SocketDescriptor {
    /// See ``StreamSocket/repetitions``.
    var repetitions: Int {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(number, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return 0 }
        return Int(info.tcpi_retransmits)
    }
}

extension TCPRoundTrip {
    /// Reads the measurement; `nil` before the first sample (the handshake gives one) or on an older kernel.
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
