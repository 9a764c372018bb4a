/// The kernel options of a TCP connection.
package struct TCPOptions: Hashable, Sendable {
    /// The kernel's probes of a silent peer.
    package struct KeepAlive: Hashable, Sendable {
        /// Silence before the first probe.
        package var idle: Duration
        /// Time between two probes.
        package var interval: Duration
        /// Unanswered probes that end the connection.
        package var probeCount: Int

        /// Creates keep-alive probes; times are rounded down to whole seconds, at least 1.
        package init(idle: Duration, interval: Duration, probeCount: Int) {
            self.idle = idle
            self.interval = interval
            self.probeCount = probeCount
        }
    }

    /// Sends small writes at once (`TCP_NODELAY`).
    package var noDelay = true
    /// Size of the kernel's send buffer; the kernel doubles the value for its own bookkeeping.
    package var sendBufferBytes: Int?
    /// Longest wait between two retransmissions, ≥ 1 s (`TCP_RTO_MAX_MS`, Linux 6.15 and later). Keeps
    /// retries close together through a network outage.
    ///
    /// *Observed* (Linux 6.18): with one second and a peer whose receive window is shut, the kernel gives up
    /// the connection after 15 unanswered probes, regardless of ``userTimeout``. Use only if the peer keeps
    /// reading.
    package var maximumRetransmissionTimeout: Duration?
    /// Longest time that sent bytes may stay unacknowledged before the kernel gives up the connection
    /// (`TCP_USER_TIMEOUT`).
    package var userTimeout: Duration?
    /// Keep-alive probes; `nil` for none.
    package var keepAlive: KeepAlive?

    /// Creates options; `nil` leaves the kernel's default.
    package init(
        noDelay: Bool = true, sendBufferBytes: Int? = nil, maximumRetransmissionTimeout: Duration? = nil,
        userTimeout: Duration? = nil, keepAlive: KeepAlive? = nil
    ) {
        self.noDelay = noDelay
        self.sendBufferBytes = sendBufferBytes
        self.maximumRetransmissionTimeout = maximumRetransmissionTimeout
        self.userTimeout = userTimeout
        self.keepAlive = keepAlive
    }
}
