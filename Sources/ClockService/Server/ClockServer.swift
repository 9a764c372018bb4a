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

        public init(identity: ClockIdentity) { self.identity = identity }
    }

    /// Most peers at a time; more is a mistake of ours, and each costs 16 datagrams a second.
    public static let mostPeers = 256
    /// Most messages that wait to be taken; a driver that does not take them loses the newest.
    static let mostPending = 8192
    /// The port number in our port identity (*observed* in Apple's senders).
    static let portNumber: UInt16 = 0x8005

    public let configuration: Configuration
    public let timescale = NetworkTimescale()
    private let source: PTPPortIdentity
    private let templates: ClockTemplates
    private var peers: [ClockPeer] = []
    private var indices: [IPAddress: Int] = [:]
    private var pending: [PendingMessage] = []
    private var pendingStart = 0
    private var events: [PeerStateChange] = []
    /// Datagrams from addresses that are no peers; none is answered.
    public private(set) var strangerCount = 0
    /// Datagrams of peers that are no PTP messages.
    public private(set) var malformedCount = 0

    public init(configuration: Configuration) {
        self.configuration = configuration
        source = PTPPortIdentity(clock: configuration.identity, port: Self.portNumber)
        templates = ClockTemplates(source: source)
    }

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
            guard peers.count < Self.mostPeers else { return false }
            indices[address] = peers.count
            peers.append(
                ClockPeer(
                    address, behaviour: behaviour, pathDelay: pathDelay, localAddress: localAddress, at: now))
        }
        handleTimeout(at: now)
        return true
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

    private mutating func noteState(of index: Int, at now: HostTime) {
        guard peers[index].following.evaluate(at: now), peers[index].lingersUntil == nil,
            events.count < Self.mostPending
        else { return }
        events.append(PeerStateChange(peer: peers[index].id, state: peers[index].following.state))
    }

    private mutating func forgetLingered(at now: HostTime) {
        guard peers.contains(where: { $0.lingersUntil.map { $0 <= now } ?? false }) else { return }
        peers.removeAll { $0.lingersUntil.map { $0 <= now } ?? false }
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

    private mutating func enqueue(_ kind: PendingMessage.Kind, for peer: IPAddress) {
        guard pending.count - pendingStart < Self.mostPending else { return }
        pending.append(PendingMessage(peer: peer, kind: kind))
    }
}

extension ClockServer {
    /// Takes one datagram.
    ///
    /// - Parameters:
    ///   - address: Where it came from; an address that is no peer gets no answer.
    ///   - receivedAt: The kernel's stamp, as host time.
    public mutating func receive(
        _ bytes: ArraySlice<UInt8>, from address: IPAddress, on port: ClockPort, at receivedAt: HostTime
    ) {
        guard let index = indices[address] else {
            strangerCount += 1
            return
        }
        guard let message = try? PTPMessage(datagram: bytes), message.header.domain == 0,
            message.header.source.clock != configuration.identity
        else {
            malformedCount += 1
            return
        }
        switch message {
        case .delayRequest(let request) where port == .event:
            receiveQuestion(from: index, at: receivedAt)
            answer(index, at: receivedAt) {
                [.delayResponse(ClockAnswer(to: request.header, receivedAt: $0))]
            }
        case .peerDelayRequest(let request) where port == .event:
            peers[index].measurePath(at: receivedAt)
            answer(index, at: receivedAt) {
                let answer = ClockAnswer(to: request.header, receivedAt: $0)
                return [.peerDelayResponse(answer), .peerDelayResponseFollowUp(answer)]
            }
        case .signaling(let request):
            guard let grant = PTPSignaling.grant(to: request, source: source) else { return }
            let bytes = PTPMessage.signaling(grant).encoded
            answer(index, at: receivedAt) { _ in [.grant(bytes, sequence: request.header.sequence)] }
        case .announce(let announce):
            // A follower's poke or its wish to lead; we stay what we are.
            peers[index].announceCount += 1
            peers[index].announcedGrandmaster = announce.grandmaster
        default:
            break
        }
    }

    private mutating func receiveQuestion(from index: Int, at now: HostTime) {
        peers[index].measurePath(at: now)
        peers[index].following.asked(at: now)
        noteState(of: index, at: now)
    }

    /// Queues the answers, within the peer's budget.
    private mutating func answer(
        _ index: Int, at receivedAt: HostTime, _ messages: (NetworkTime) -> [PendingMessage.Kind]
    ) {
        guard peers[index].budget.take(at: receivedAt) else {
            peers[index].refusedRequestCount += 1
            return
        }
        // To this peer the way seems shorter by what its last Follow_Up had been given.
        let arrival = timescale.networkTime(at: receivedAt).nanoseconds &- peers[index].lastServed
        for message in messages(NetworkTime(nanoseconds: arrival)) { enqueue(message, for: peers[index].id) }
    }
}

extension ClockServer {
    /// Fills `datagram` with the next message to send.
    ///
    /// Allocates nothing once the datagram has its size. When it ``ClockDatagram/needsStamp``, read the
    /// clock and stamp it immediately before sending.
    /// - Returns: `false` when there is none.
    public mutating func nextDatagram(into datagram: inout ClockDatagram, at now: HostTime) -> Bool {
        while pendingStart < pending.count {
            let message = pending[pendingStart]
            pendingStart += 1
            guard let index = indices[message.peer] else { continue }
            load(message.kind, for: &peers[index], into: &datagram, at: now)
            return true
        }
        pending.removeAll(keepingCapacity: true)
        pendingStart = 0
        return false
    }

    private func load(
        _ kind: PendingMessage.Kind, for peer: inout ClockPeer, into datagram: inout ClockDatagram,
        at now: HostTime
    ) {
        func load(_ template: [UInt8], _ port: ClockPort, _ sequence: UInt16) {
            datagram.load(template, port: port, to: peer.id, from: peer.localAddress, sequence: sequence)
        }
        func copy(_ answer: ClockAnswer) {
            datagram.write(answer.requester, at: ClockTemplates.answerRequester)
        }
        switch kind {
        case .announce:
            peer.announceSequence &+= 1
            load(templates.announce, .general, peer.announceSequence)
        case .sync(let sequence):
            load(templates.sync, .event, sequence)
        case .followUp(let sequence):
            load(templates.followUp, .general, sequence)
            datagram.stampDeparture(adding: peer.serve(at: now))
        case .signaling:
            peer.signalingSequence &+= 1
            load(templates.signaling, .general, peer.signalingSequence)
        case .delayResponse(let answer):
            load(templates.delayResponse, .general, answer.sequence)
            datagram.write(UInt64(bitPattern: answer.correction.rawValue), at: PTPHeader.correctionOffset)
            datagram.write(PTPTimestamp(answer.receivedAt), at: ClockTemplates.answerTimestamp)
            copy(answer)
        case .peerDelayResponse(let answer):
            load(templates.peerDelayResponse, .event, answer.sequence)
            datagram.write(PTPTimestamp(answer.receivedAt), at: ClockTemplates.answerTimestamp)
            copy(answer)
        case .peerDelayResponseFollowUp(let answer):
            load(templates.peerDelayResponseFollowUp, .general, answer.sequence)
            datagram.write(UInt64(bitPattern: answer.correction.rawValue), at: PTPHeader.correctionOffset)
            copy(answer)
            datagram.stampDeparture(adding: peer.lastServed)
        case .grant(let bytes, let sequence):
            load(bytes, .general, sequence)
        }
    }
}
