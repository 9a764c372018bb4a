import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO

/// A server of our clock to receivers, without its own sockets, threads and clock.
///
/// Sends every peer Announce, Sync with Follow_Up, and Signaling, by unicast, and answers its requests.
/// Callers pass datagrams and times in. After every call that changes the server, call
/// ``nextDatagram(into:at:)`` until it returns `false` and ``nextEvent()`` until it returns `nil`, then read
/// ``nextDeadline``.
///
/// **Path delay.** Receivers that never ask (nqptp) take a Follow_Up's time as that of its arrival, and so
/// play late by the path delay. The server therefore adds a peer's path delay d, half the measured round
/// trip, to the times that it serves. A receiver that asks measures d itself and would then be early by d, so
/// from its first request on our d goes to zero: at once in its first second, else at 100 ppm. While d is not
/// zero, the server stamps all departures to that peer d late and all arrivals from it d early, as if the
/// path were shorter by d. Both kinds of exchange then still give the exact offset, only with a path delay
/// that is too small by d. offset, only with a path delay that is d too small.
package struct ClockServer: Sendable {
    /// The parameters of a server.
    package struct Configuration: Hashable, Sendable {
        /// The identity of our clock. Bit 63 should be clear: other protocols carry it as a signed integer.
        package var identity: ClockIdentity
        /// The time for which a peer is still served after its removal. *Observed*: a receiver that hears a
        /// Follow_Up while nothing plays drops its old record of our clock; without that, the next session
        /// may start on the old record.
        package var linger = Duration.milliseconds(600)

        /// The greatest number of peers at a time, of all programs that share the clock.
        var peerLimit = ClockServer.mostPeers

        /// Creates the default configuration with this identity.
        package init(identity: ClockIdentity) { self.identity = identity }
    }

    /// The greatest number of peers per program at a time, as a guard: each costs 16 datagrams a second.
    package static let mostPeers = 256
    /// The greatest number of messages that wait to be sent; beyond it the server drops the newest.
    static let mostPending = 8192
    /// The port number in our port identity (*observed* in Apple's senders).
    static let portNumber: UInt16 = 0x8005

    /// The settings of the server.
    package let configuration: Configuration
    /// The relation of the served network time to host time.
    package let timescale = NetworkTimescale()
    let source: PTPPortIdentity
    let templates: ClockTemplates
    var peers: [ClockPeer] = []
    var indices: [IPAddress: Int] = [:]
    /// The addresses that lead, each with the number of sessions that follow them.
    private var leaders: [IPAddress: Int] = [:]
    var pending: [PendingMessage] = []
    var pendingStart = 0
    private var events: [PeerStateChange] = []
    /// The number of datagrams from addresses that are no peers; the server answers none.
    package internal(set) var strangerCount = 0
    /// The number of datagrams from peers that are no valid PTP messages.
    package internal(set) var malformedCount = 0

    /// Creates a server without peers.
    package init(configuration: Configuration) {
        self.configuration = configuration
        source = PTPPortIdentity(clock: configuration.identity, port: Self.portNumber)
        templates = ClockTemplates(source: source)
    }

    func serves(_ address: IPAddress) -> Bool { indices[address] != nil }

    /// Whether an address is that of a peer of a kind that never asks.
    func neverAsks(_ address: IPAddress) -> Bool {
        indices[address].map { peers[$0].following.behaviour.neverAsks } ?? false
    }

    /// Whether no peer is served any more, not even during its linger.
    package var isIdle: Bool { peers.isEmpty }

    /// The deadline for the next ``handleTimeout(at:)``; `nil` without peers.
    package var nextDeadline: HostTime? {
        var earliest: HostTime?
        for index in peers.indices {
            let deadline = peers[index].deadline
            if earliest.map({ deadline < $0 }) ?? true { earliest = deadline }
        }
        return earliest
    }

    /// Removes and returns the next change of a peer's state; `nil` when there is none.
    package mutating func nextEvent() -> PeerStateChange? { events.isEmpty ? nil : events.removeFirst() }
}

extension ClockServer {
    /// Serves a peer from now on, densely at first. Balance each call with one ``removePeer(_:at:)``.
    ///
    /// - Parameters:
    ///   - behaviour: The known behaviour of its kind.
    ///   - pathDelay: Half of the measured round trip; zero if it is not known, or is the one of before. Ignored for peers that
    ///     measure the path themselves.
    ///   - localAddress: Our address as the peer knows it, the local end of the control connection:
    ///     *observed*, receivers accept no other. `nil` leaves the choice to the routes.
    /// - Returns: `false` when there are ``mostPeers`` already.
    package mutating func addPeer(
        _ address: IPAddress, behaviour: ClockPeerBehaviour = .unknown, pathDelay: Duration = .zero,
        localAddress: IPAddress? = nil, at now: HostTime
    ) -> Bool {
        if let index = indices[address] {
            peers[index].join(
                behaviour: behaviour, pathDelay: pathDelay, localAddress: localAddress, at: now)
        } else {
            guard peers.count < configuration.peerLimit else { return false }
            indices[address] = peers.count
            peers.append(
                ClockPeer(
                    address, behaviour: behaviour, pathDelay: pathDelay, localAddress: localAddress, at: now))
        }
        handleTimeout(at: now)
        return true
    }

    // MARK: Leaders

    /// Offers an address our clock no longer, because a session follows the clock there: only a clock to which nobody
    /// offers a better one becomes a master. The clock still answers a peer's requests. Balance each call with one
    /// ``endYield(to:at:)``.
    ///
    /// Call it before ``addPeer(_:behaviour:pathDelay:localAddress:at:)`` where that is possible.
    package mutating func yield(to address: IPAddress) { leaders[address, default: 0] += 1 }

    /// Ends one ``yield(to:)``; after the last one a peer is offered our clock, densely at first.
    ///
    /// Call it after ``removePeer(_:at:)`` where a session ends: the peer has never heard our clock, and needs no linger.
    package mutating func endYield(to address: IPAddress, at now: HostTime) {
        guard let count = leaders[address] else { return }
        leaders[address] = count > 1 ? count - 1 : nil
        guard count == 1, let index = indices[address] else { return }
        if peers[index].lingersUntil == nil {
            restartServing(address, at: now)
        } else {
            peers[index].lingersUntil = now
            handleTimeout(at: now)
        }
    }

    func yields(to address: IPAddress) -> Bool { leaders[address] != nil }

    // MARK: Peers

    /// Replaces the known behaviour of a peer; its schedule continues.
    package mutating func setBehaviour(
        _ behaviour: ClockPeerBehaviour, of address: IPAddress, at now: HostTime
    ) {
        guard let index = indices[address] else { return }
        peers[index].setBehaviour(behaviour, at: now)
    }

    /// Ends one ``addPeer(_:behaviour:pathDelay:localAddress:at:)``; after the last one the peer is served
    /// for ``Configuration/linger`` more.
    package mutating func removePeer(_ address: IPAddress, at now: HostTime) {
        guard let index = indices[address], peers[index].lingersUntil == nil else { return }
        peers[index].userCount -= 1
        guard peers[index].userCount == 0 else { return }
        peers[index].userCount = 1
        peers[index].lingersUntil = now.advanced(by: configuration.linger)
    }

    /// Restarts the dense schedule. Call it right after the answer to the stream SETUP, when the peer has
    /// just begun to listen: at that answer nqptp forgets all earlier messages.
    package mutating func restartServing(_ address: IPAddress, at now: HostTime) {
        guard let index = indices[address] else { return }
        peers[index].restartServing(at: now)
        handleTimeout(at: now)
    }

    /// Sets a better measurement of the path delay. Before the first Follow_Up the change is immediate, then
    /// a slew of 100 ppm; for a peer that never asks, the next restart completes the slew.
    package mutating func setPathDelay(_ delay: Duration, of address: IPAddress, at now: HostTime) {
        guard let index = indices[address] else { return }
        peers[index].setPathDelay(delay, at: now)
    }

    /// Returns the status of a peer; `nil` for an address that is no peer (any more).
    package func status(of address: IPAddress, at now: HostTime) -> PeerClockStatus? {
        guard let index = indices[address], peers[index].lingersUntil == nil else { return nil }
        var peer = peers[index]
        _ = peer.following.evaluate(at: now)
        return PeerClockStatus(
            state: peer.following.state, role: yields(to: address) ? .timeReceiver : .timeTransmitter,
            readyTime: peer.following.readyTime,
            servedPathDelay: .nanoseconds(peer.delay.value(at: now)),
            isHeard: peer.isHeard, delayRequestCount: peer.following.questionCount,
            refusedRequestCount: peer.refusedRequestCount,
            announceCount: peer.announceCount, announcedGrandmaster: peer.announcedGrandmaster,
            insistsOn: yields(to: address) ? nil : peer.claim.insists(at: now))
    }

    /// Enqueues the messages and state changes that are due. Safe to call early or late; only the time decides.
    package mutating func handleTimeout(at now: HostTime) {
        forgetLingered(at: now)
        for index in peers.indices {
            serve(index, at: now)
            noteState(of: index, at: now)
        }
    }

    mutating func noteState(of index: Int, at now: HostTime) {
        guard peers[index].following.evaluate(at: now), peers[index].lingersUntil == nil,
            events.count < Self.mostPending
        else { return }
        events.append(PeerStateChange(peer: peers[index].id, state: peers[index].following.state))
    }

    private mutating func forgetLingered(at now: HostTime) {
        guard peers.contains(where: { $0.lingersUntil.map { $0 <= now } ?? false }) else { return }
        peers.removeAll { $0.lingersUntil.map { $0 <= now } ?? false }
        reindex()
    }

    mutating func reindex() {
        indices = Dictionary(uniqueKeysWithValues: peers.indices.map { (peers[$0].id, $0) })
    }

    private mutating func serve(_ index: Int, at now: HostTime) {
        let peer = peers[index].id
        if peers[index].schedule.takeAnnounce(at: now) { enqueue(.announce, for: peer) }
        if peers[index].schedule.takeSync(at: now) {
            peers[index].syncSequence &+= 1
            let sequence = peers[index].syncSequence
            enqueue(.sync(sequence: sequence), for: peer)
            enqueue(.followUp(sequence: sequence), for: peer)
        }
        if peers[index].schedule.takeSignaling(at: now) { enqueue(.signaling, for: peer) }
    }

    mutating func enqueue(_ kind: PendingMessage.Kind, for peer: IPAddress) {
        guard pending.count - pendingStart < Self.mostPending else { return }
        pending.append(PendingMessage(peer: peer, kind: kind))
    }
}
