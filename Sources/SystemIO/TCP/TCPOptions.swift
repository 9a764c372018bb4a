/// What a TCP connection asks of the kernel.
public struct TCPOptions: Hashable, Sendable {
    /// When the kernel probes a silent peer.
    public struct KeepAlive: Hashable, Sendable {
        public var idle: Duration
        public var interval: Duration
        public var probeCount: Int

        public init(idle: Duration, interval: Duration, probeCount: Int) {
            self.idle = idle
            self.interval = interval
            self.probeCount = probeCount
        }
    }

    /// Send small writes at once.
    public var noDelay = true
    /// Size of the kernel's send buffer; the kernel doubles it for its own bookkeeping.
    public var sendBufferBytes: Int?
    /// The longest wait between two retransmissions, ≥ 1 s (`TCP_RTO_MAX_MS`, Linux 6.15 and
    /// later). Keeps the retries close together through a network cut.
    ///
    /// *Observed* (Linux 6.18): with one second and a peer whose receive window is shut, the
    /// kernel gives the connection up after 15 unanswered probes, whatever ``userTimeout`` says.
    /// Use it only where the peer keeps reading.
    public var maximumRetransmissionTimeout: Duration?
    /// How long sent bytes may stay unacknowledged before the connection is given up
    /// (`TCP_USER_TIMEOUT`).
    public var userTimeout: Duration?
    /// `nil`: no probes.
    public var keepAlive: KeepAlive?

    public init(
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
