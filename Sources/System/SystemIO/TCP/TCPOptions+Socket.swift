import Glibc
import TuttiMediaTime

/// `TCP_RTO_MAX_MS` of Linux 6.15; older headers lack it.
private let tcpMaximumRetransmissionMilliseconds: Int32 = 44

extension TCPOptions {
    /// Sets the options on a socket; ``maximumRetransmissionTimeout`` where the kernel knows it.
    func apply(to socket: SocketDescriptor) throws(SystemError) {
        let level = Int32(IPPROTO_TCP)
        try socket.setOption(level, TCP_NODELAY, to: Int32(noDelay ? 1 : 0))
        if let sendBufferBytes {
            try socket.setOption(SOL_SOCKET, SO_SNDBUF, to: Int32(clamping: sendBufferBytes))
        }
        if let userTimeout {
            try socket.setOption(level, TCP_USER_TIMEOUT, to: userTimeout.clampedMilliseconds)
        }
        if let keepAlive { try apply(keepAlive, to: socket) }
        guard let maximumRetransmissionTimeout else { return }
        do {
            try socket.setOption(
                level, tcpMaximumRetransmissionMilliseconds,
                to: maximumRetransmissionTimeout.clampedMilliseconds)
        } catch {
            // Older kernels wait longer between two attempts.
        }
    }

    /// Makes a listening socket accept clients only when they have sent something.
    static func acceptWithData(on socket: SocketDescriptor, patience: Duration) throws(SystemError) {
        try socket.setOption(Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT, to: patience.clampedSeconds)
    }

    private func apply(_ keepAlive: KeepAlive, to socket: SocketDescriptor) throws(SystemError) {
        let level = Int32(IPPROTO_TCP)
        try socket.setOption(SOL_SOCKET, SO_KEEPALIVE, to: Int32(1))
        try socket.setOption(level, TCP_KEEPIDLE, to: keepAlive.idle.clampedSeconds)
        try socket.setOption(level, TCP_KEEPINTVL, to: keepAlive.interval.clampedSeconds)
        try socket.setOption(level, TCP_KEEPCNT, to: Int32(clamping: min(max(keepAlive.probeCount, 1), 127)))
    }
}

extension Duration {
    fileprivate var clampedMilliseconds: Int32 { Int32(clamping: max(wholeNanoseconds / 1_000_000, 1)) }
    /// Whole seconds, 1 ... 32,767, the kernel's range for keep-alive times.
    fileprivate var clampedSeconds: Int32 { Int32(min(max(wholeNanoseconds / 1_000_000_000, 1), 32_767)) }
}
