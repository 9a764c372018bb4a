import MediaTime
import SystemIO

/// This machine's network clock, with a thread of its own.
///
/// The PTP ports are one per machine, so the clock is. The first service that needs it binds the ports and serves for
/// all programs; later ones, in this process or another, find it by a socket in a run-time folder
/// (``RuntimeFolder/standard()``), hold the same open ports, and have it serve their peers and follow for them. When the
/// serving program ends, is killed or is stopped, another one goes on with the same ports, identity and times.
///
/// All functions may be called from any thread and do not wait, but for ``close()``. Letting go of
/// it ends the service without the lingering that ``close()`` gives.
public final class ClockService: Sendable {
    public struct Configuration: Hashable, Sendable {
        /// All groups and late joiners of a machine must use the same. A service with the host's own
        /// (`ClockIdentity.ofThisHost()`) takes that of a clock which runs already; see ``ClockService/identity``.
        public var identity: ClockIdentity
        /// Where to bind: every IPv4 and IPv6 address, or exact addresses where several services share a machine.
        public var addresses: [IPAddress] = [.anyV4, .anyV6]
        /// Where to bind instead when other programs have the ports at some of the machine's addresses.
        public var exactAddresses: [IPAddress] = []
        /// Whether other programs may share the clock. Without ports of its own (0) it is never shared.
        public var isShared = true
        /// Where the programs of a machine find its clock; `nil` for ``RuntimeFolder/standard()``.
        public var runtimeFolders: [RuntimeFolder]?
        /// The event port, also that of every peer. 0 lets the kernel choose, for tests only.
        public var eventPort: UInt16 = 319
        /// The general port, also that of every peer.
        public var generalPort: UInt16 = 320
        /// The `SCHED_FIFO` priority to ask for.
        public var threadPriority: Int32 = 50

        public init(identity: ClockIdentity = .ofThisHost()) { self.identity = identity }
    }

    public let identity: ClockIdentity
    /// The bound ports.
    public let eventPort: UInt16
    public let generalPort: UInt16
    /// Where it is bound.
    let addresses: [IPAddress]
    let loop: ClockLoop
    private let clock = SystemClock()

    /// Finds the machine's clock, or binds the ports, and starts the clock's thread.
    ///
    /// Waits up to 3 s for a program that serves and does not answer, and 0.4 s before it says that a port is taken.
    /// Without IPv6 on the machine it serves IPv4 alone.
    public init(configuration: Configuration = Configuration()) throws(ClockServiceError) {
        let entry = try ClockRendezvous(configuration).enter()
        identity = entry.identity
        addresses = entry.sockets.addresses
        eventPort = entry.sockets.eventPort
        generalPort = entry.sockets.generalPort
        do {
            loop = ClockLoop(
                entry: entry, peerEventPort: configuration.eventPort,
                peerGeneralPort: configuration.generalPort, signal: try WakeSignal())
            try loop.start(priority: configuration.threadPriority)
        } catch {
            throw .system(error)
        }
    }

    deinit { loop.stop(lingering: false) }

    /// The network time of a host time. All conversion goes through here and ``hostTime(of:)``.
    public func networkTime(at time: HostTime) -> NetworkTime { loop.timescale.networkTime(at: time) }

    public func hostTime(of time: NetworkTime) -> HostTime { loop.timescale.hostTime(of: time) }

    /// Serves a peer from now on. Call it when the control connection stands, before the session
    /// SETUP; each call wants one ``removePeer(_:)``.
    ///
    /// - Parameters:
    ///   - behaviour: What is known of its kind.
    ///   - pathDelay: Half of the round trip measured on the control connection.
    ///   - localAddress: The local end of the control connection: receivers listen to no other.
    public func addPeer(
        _ address: IPAddress, behaviour: ClockPeerBehaviour = .unknown, pathDelay: Duration = .zero,
        localAddress: IPAddress? = nil
    ) throws(ClockServiceError) {
        guard !loop.isStopping else { throw .closed }
        let isAdded = loop.perform(
            .addPeer(address, behaviour, pathDelay: pathDelay, localAddress: localAddress))
        guard isAdded else { throw .tooManyPeers(limit: ClockServer.mostPeers) }
    }

    /// Ends one ``addPeer(_:behaviour:pathDelay:localAddress:)``; it is still served for 0.6 s after the last.
    public func removePeer(_ address: IPAddress) { loop.perform(.removePeer(address)) }

    /// What has been learnt of a peer's kind since it was added.
    public func setBehaviour(_ behaviour: ClockPeerBehaviour, of address: IPAddress) {
        loop.perform(.setBehaviour(behaviour, of: address))
    }

    /// To be called right after the answer to the stream SETUP: the peer has just begun to listen.
    public func kick(_ address: IPAddress) { loop.perform(.kick(address)) }

    /// A better measurement of the one-way delay; see ``ClockServer/setPathDelay(_:of:at:)``.
    public func setPathDelay(_ delay: Duration, of address: IPAddress) {
        loop.perform(.setPathDelay(delay, of: address))
    }

    /// `nil` for an address that is no peer.
    public func status(of address: IPAddress) -> PeerClockStatus? {
        let now = clock.now
        return loop.state.withLock { state in
            state.clock.isOwnPeer(address) ? state.clock.server.status(of: address, at: now) : nil
        }
    }

    public func state(of address: IPAddress) -> PeerClockState? { status(of: address)?.state }

    /// When the peer is to be relied on, also in the future; `nil` where that is not yet known.
    public func readyTime(of address: IPAddress) -> HostTime? { status(of: address)?.readyTime }

    /// Changes of state from now on, of one peer or of all; ends with the service.
    ///
    /// A reader that does not keep up loses the oldest.
    public func stateChanges(of address: IPAddress? = nil) -> AsyncStream<PeerStateChange> {
        loop.changes.stream(of: address)
    }

    /// Serves every peer for its linger of 0.6 s, then ends the thread and gives the ports back.
    ///
    /// Safe to call twice; each call waits for the end.
    public func close() async {
        loop.stop(lingering: true)
        await loop.waitForEnd()
    }

    /// Whether this program serves the clock for the machine; else another one does.
    public var isServing: Bool { loop.state.withLock { $0.isServing } }

    /// Programs that share the clock, where this one serves.
    public var programCount: Int { loop.state.withLock { $0.programCount } }
}
