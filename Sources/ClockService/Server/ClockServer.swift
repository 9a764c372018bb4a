import MediaTime
import PTP
import SystemIO

/// Our clock as receivers see it, without sockets, threads and the clock itself.
///
/// Serves every peer Announce, Sync with Follow_Up, and Signaling, by unicast, and answers their
/// questions. Datagrams and times come in; after every call that changes the server take
/// ``nextDatagram(into:at:)`` until `false`, ``nextEvent()`` until `nil`, and look at ``nextDeadline``.
///
/// **Path delay.** Receivers that never ask (nqptp) take a Follow_Up's time as that of its arrival and
/// so play late by the way it took. A peer's path delay d, half the measured round trip, is added to the
/// times served to it. A receiver that asks measures d itself and would then be early by it, so
/// from its first question on our d goes to zero: at once in its first second, else at 100 ppm. As
/// long as it is not zero, whatever leaves for that peer is stamped d late and whatever arrives
/// from it d early, as if the way were d shorter. Both kinds of exchange then still give the exact
/// offset, only with a path delay that is d too small.
public struct ClockServer: Sendable {
    public struct Configuration: Hashable, Sendable {
        /// Our clock. Bit 63 should be clear: it travels as a signed integer elsewhere.
        public var identity: ClockIdentity
        /// How long a peer is still served after its removal. *Observed*: a receiver that hears a
        /// Follow_Up while nothing plays drops its old record of our clock; without it the next session
        /// may start on that.
        public var linger = Duration.milliseconds(600)

        /// Most peers at a time, of all programs that share the clock.
        var peerLimit = ClockServer.mostPeers

        public init(identity: ClockIdentity) { self.identity = identity }
    }

    /// Most peers of one program at a time; more is a mistake of ours, and each costs 16 datagrams a second.
    public static let mostPeers = 256
    /// Most messages that wait to be taken; a driver that does not take them loses the newest.
    static let mostPending = 8192
    /// The port number in our port identity (*observed* in Apple's senders).
    static let portNumber: UInt16 = 0x8005

    public let configuration: Configuration
    public let timescale = NetworkTimescale()
    let source: PTPPortIdentity
    let templates: ClockTemplates
    var peers: [ClockPeer] = []
    var indices: [IPAddress: Int] = [:]
    var pending: [PendingMessage] = []
    var pendingStart = 0
    private var events: [PeerStateChange] = []
    /// Datagrams from addresses that are no peers; none is answered.
    public internal(set) var strangerCount = 0
    /// Datagrams of peers that are no PTP messages.
    public internal(set) var malformedCount = 0

    public init(configuration: Configuration) {
        self.configuration = configuration
        source = PTPPortIdentity(clock: configuration.identity, port: Self.portNumber)
        templates = ClockTemplates(source: source)
    }

    func serves(_ address: IPAddress) -> Bool { indices[address] != nil }

    /// Whether nobody is served any more, not even in its linger.
    public var isIdle: Bool { peers.isEmpty }

    /// When ``handleTimeout(at:)`` has something to do; `nil` without peers.
    public var nextDeadline: HostTime? {
        var earliest: HostTime?
        for index in peers.indices {
            let deadline = peers[index].deadline
            if earliest.map({ deadline < $0 }) ?? true { earliest = deadline }
        }
        return earliest
    }

    /// The next change of a peer's state.
    public mutating func nextEvent() -> PeerStateChange? { events.isEmpty ? nil : events.removeFirst() }
}

extension ClockServer {
    /// Serves a peer from now on, densely at first. Each call wants one ``removePeer(_:at:)``.
    ///
    /// - Parameters:
    ///   - behaviour: What is known of its kind.
    ///   - pathDelay: Half of the measured round trip; used only for peers that do not measure it.
    ///   - localAddress: Our address in the peer's eyes, the local end of the control connection:
    ///     *observed*, receivers listen to no other. `nil` leaves it to the routes.
    /// - Returns: `false` when there are ``mostPeers`` already.
    public mutating func addPeer(
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

    /// What has been learnt of a peer's kind since it was added; its schedule goes on.
    public mutating func setBehaviour(
        _ behaviour: ClockPeerBehaviour, of address: IPAddress, at now: HostTime
    ) {
        guard let index = indices[address] else { return }
        peers[index].setBehaviour(behaviour, at: now)
    }

    /// Ends one ``addPeer(_:behaviour:pathDelay:localAddress:at:)``; after the last one the peer is served
    /// for ``Configuration/linger`` more.
    public mutating func removePeer(_ address: IPAddress, at now: HostTime) {
        guard let index = indices[address], peers[index].lingersUntil == nil else { return }
        peers[index].userCount -= 1
        guard peers[index].userCount == 0 else { return }
        peers[index].userCount = 1
        peers[index].lingersUntil = now.advanced(by: configuration.linger)
    }

    /// Removes every peer, whoever wants it.
    public mutating func removeAllPeers(at now: HostTime) {
        for index in peers.indices where peers[index].lingersUntil == nil {
            peers[index].userCount = 1
            peers[index].lingersUntil = now.advanced(by: configuration.linger)
        }
    }

    /// To be called when the peer has just begun to listen: right after the answer to the stream SETUP,
    /// at which nqptp forgets all that it had heard.
    public mutating func kick(_ address: IPAddress, at now: HostTime) {
        guard let index = indices[address] else { return }
        peers[index].kick(at: now)
        handleTimeout(at: now)
    }

    /// A better measurement of the way. Before the first Follow_Up it counts at once, then slowly,
    /// 100 ppm; for a peer that does not ask, the rest counts at its next kick.
    public mutating func setPathDelay(_ delay: Duration, of address: IPAddress, at now: HostTime) {
        guard let index = indices[address] else { return }
        peers[index].setPathDelay(delay, at: now)
    }

    /// `nil` for an address that is no peer (any more).
    public func status(of address: IPAddress, at now: HostTime) -> PeerClockStatus? {
        guard let index = indices[address], peers[index].lingersUntil == nil else { return nil }
        var peer = peers[index]
        _ = peer.following.evaluate(at: now)
        return PeerClockStatus(
            state: peer.following.state, role: .timeTransmitter, readyTime: peer.following.readyTime,
            servedPathDelay: .nanoseconds(peer.delay.value(at: now)),
            delayRequestCount: peer.following.questionCount, refusedRequestCount: peer.refusedRequestCount,
            announceCount: peer.announceCount, announcedGrandmaster: peer.announcedGrandmaster)
    }

    /// Safe to call early or late; only the time decides.
    public mutating func handleTimeout(at now: HostTime) {
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
