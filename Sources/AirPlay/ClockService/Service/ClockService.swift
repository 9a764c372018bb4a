import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The machine's network clock, with its own thread.
///
/// The PTP ports exist once per machine, and so does the clock. The first service that needs it binds the
/// ports and serves for all programs. Later services, in this process or another, find the clock by a socket
/// in a run-time folder (``RuntimeFolder/standard()``), hold the same open ports, and have the serving
/// program serve their peers and follow for them. When the serving program ends, is killed or is stopped,
/// another program continues with the same ports, identity and times.
///
/// All functions may be called from any thread and do not block, except ``close()``. Releasing the service
/// ends it without the linger that ``close()`` gives.
package final class ClockService: Sendable {
    /// The parameters of a service.
    package struct Configuration: Hashable, Sendable {
        /// The identity of the clock; all groups and late joiners of a machine must use the same. A service
        /// with the host's own (`ClockIdentity.ofThisHost()`) adopts that of a running clock; see
        /// ``ClockService/identity``.
        package var identity: ClockIdentity
        /// The addresses to bind: the IPv4 and IPv6 wildcards, or exact ones where services share a machine.
        package var addresses: [IPAddress] = [.anyV4, .anyV6]
        /// The addresses to bind instead when other programs hold the ports at some of the machine's addresses.
        package var exactAddresses: [IPAddress] = []
        /// Whether other programs may share the clock. A clock with kernel-chosen ports (0) is never shared.
        package var isShared = true
        /// The folders in which programs of a machine find its clock; `nil` for ``RuntimeFolder/standard()``.
        package var runtimeFolders: [RuntimeFolder]?
        /// The event port, here and at every peer. 0 lets the kernel choose, for tests only.
        package var eventPort: UInt16 = 319
        /// The general port, here and at every peer. 0 lets the kernel choose, for tests only.
        package var generalPort: UInt16 = 320
        /// The `SCHED_FIFO` priority to request.
        package var threadPriority: Int32 = 50

        /// Creates the default configuration; the default identity is this host's.
        package init(identity: ClockIdentity = .ofThisHost()) { self.identity = identity }
    }

    /// The clock's identity; may differ from the configured one, see ``Configuration/identity``.
    package let identity: ClockIdentity
    /// The bound event port.
    package let eventPort: UInt16
    /// The bound general port.
    package let generalPort: UInt16
    /// The bound addresses.
    let addresses: [IPAddress]
    let loop: ClockLoop
    let machine: any Machine
    /// The questions to peers that never ask, see ``PeerClockStatus/isRefused``.
    private let probes = Mutex<[IPAddress: UDPPortProbe]>([:])

    /// Finds the machine's clock, or binds the ports, and starts the clock's thread.
    ///
    /// Waits up to 3 s for a serving program that does not answer, and 0.4 s before it reports that a port is
    /// taken. Without IPv6 on the machine the service serves IPv4 alone.
    /// - Parameter machine: Time, the sockets and the clock's loop. For another machine than this one, pass a
    ///   configuration that has its identity (`ClockIdentity.ofHost(_:)`) and is not shared.
    /// - Throws: ``ClockServiceError``; its description names the way out.
    package init(
        configuration: Configuration = Configuration(), machine: any Machine = SystemMachine()
    ) throws(ClockServiceError) {
        let entry = try ClockRendezvous(configuration, machine: machine).enter()
        self.machine = machine
        identity = entry.identity
        addresses = entry.sockets.addresses
        eventPort = entry.sockets.eventPort
        generalPort = entry.sockets.generalPort
        do {
            loop = try ClockLoop(
                entry: entry, peerEventPort: configuration.eventPort,
                peerGeneralPort: configuration.generalPort, machine: machine)
            try loop.start(priority: configuration.threadPriority)
        } catch {
            throw .system(error)
        }
    }

    deinit { loop.stop(lingering: false) }

    /// Returns the network time at a host time. All conversion uses this and ``hostTime(of:)``.
    package func networkTime(at time: HostTime) -> NetworkTime { loop.timescale.networkTime(at: time) }

    /// Returns the host time at a network time.
    package func hostTime(of time: NetworkTime) -> HostTime { loop.timescale.hostTime(of: time) }

    /// Serves a peer from now on. Call it when the control connection is open, before the session SETUP;
    /// balance each call with one ``removePeer(_:)``.
    ///
    /// - Parameters:
    ///   - behaviour: The known behaviour of its kind.
    ///   - pathDelay: Half of the round trip measured on the control connection.
    ///   - localAddress: The local end of the control connection: receivers accept no other.
    /// - Throws: ``ClockServiceError/closed`` after ``close()``, ``ClockServiceError/tooManyPeers(limit:)``.
    package func addPeer(
        _ address: IPAddress, behaviour: ClockPeerBehaviour = .unknown, pathDelay: Duration = .zero,
        localAddress: IPAddress? = nil
    ) throws(ClockServiceError) {
        guard !loop.isStopping else { throw .closed }
        let isAdded = loop.perform(
            .addPeer(address, behaviour, pathDelay: pathDelay, localAddress: localAddress))
        guard isAdded else { throw .tooManyPeers(limit: ClockServer.mostPeers) }
    }

    /// Ends one ``addPeer(_:behaviour:pathDelay:localAddress:)``; the peer is still served for 0.6 s after the last.
    package func removePeer(_ address: IPAddress) {
        loop.perform(.removePeer(address))
        probes.withLock { $0[address] = nil }
    }

    /// Replaces the known behaviour of a peer.
    package func setBehaviour(_ behaviour: ClockPeerBehaviour, of address: IPAddress) {
        loop.perform(.setBehaviour(behaviour, of: address))
    }

    /// Restarts the dense schedule. Call it right after the answer to the stream SETUP, when the peer begins
    /// to listen. A peer that never asks is asked whether it does, see ``PeerClockStatus/isRefused``.
    package func restartServing(_ address: IPAddress) {
        loop.perform(.restartServing(address))
        guard loop.withServer({ $0.neverAsks(address) }) else { return }
        // Too short for a message: ignored where a program listens. Without a probe the refusal stays unknown.
        let probe = try? machine.probe(SocketAddress(address, port: loop.peerEventPort), sending: [0])
        probes.withLock { $0[address] = probe }
    }

    /// Sets a better measurement of the one-way delay; see ``ClockServer/setPathDelay(_:of:at:)``.
    package func setPathDelay(_ delay: Duration, of address: IPAddress) {
        loop.perform(.setPathDelay(delay, of: address))
    }

    /// Returns the status of a peer; `nil` for an address that is no peer of this program.
    package func status(of address: IPAddress) -> PeerClockStatus? {
        let now = machine.now
        var status = loop.state.withLock { state in
            state.clock.isOwnPeer(address) ? state.clock.server.status(of: address, at: now) : nil
        }
        status?.isRefused = probes.withLock { $0[address]?.isRefused ?? false }
        return status
    }

    /// Returns the state of a peer; `nil` for an address that is no peer of this program.
    package func state(of address: IPAddress) -> PeerClockState? { status(of: address)?.state }

    /// Returns the host time from which the peer can be relied on, past or future; `nil` where that is unknown.
    package func readyTime(of address: IPAddress) -> HostTime? { status(of: address)?.readyTime }

    /// Returns the state changes of one peer or of all from now on. The stream ends with the service.
    ///
    /// A reader that does not keep up loses the oldest changes.
    package func stateChanges(of address: IPAddress? = nil) -> AsyncStream<PeerStateChange> {
        loop.changes.stream(of: address)
    }

    /// Serves every peer for its linger of 0.6 s, then ends the thread and closes the ports.
    ///
    /// Idempotent; each call waits for the end.
    package func close() async {
        loop.stop(lingering: true)
        await loop.waitForEnd()
    }

    /// Whether this program, and not another, serves the clock for the machine.
    package var isServing: Bool { loop.state.withLock { $0.isServing } }

    /// The number of programs that share the clock; meaningful while this program serves.
    package var programCount: Int { loop.state.withLock { $0.programCount } }
}
