import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO

/// A follower of other machines' clocks, without its own sockets, threads and clock.
///
/// For each followed address the follower evaluates Announce, Sync and Follow_Up, sends Delay_Req, and answers
/// Pdelay_Req. Callers pass datagrams and times in. After every call that changes the follower, call
/// ``nextDatagram(into:at:)`` until it returns `false`, then read ``nextDeadline``. The follower takes no part in the
/// best-master election: it measures every followed clock, and an anchor names the clock it refers to.
package struct ClockFollower: Sendable {
    /// The greatest number of addresses per program at a time; each sender takes one.
    package static let mostFollowed = 64
    /// Places reserved for senders themselves: the additional peers that sessions name do not get these.
    package static let reservedForSenders = 16
    /// The time for which the follower keeps an unwanted clock, so that the next session with the same sender
    /// has a line at once.
    static let linger = Duration.seconds(10)
    /// The greatest number of answers that wait to be sent.
    private static let mostPending = 1024

    private enum Message {
        case peerDelayResponse(ClockAnswer)
        case peerDelayResponseFollowUp(ClockAnswer)
    }

    let identity: ClockIdentity
    private let port: PTPPortIdentity
    private let limit: Int
    private let templates: ClockTemplates
    private let timescale = NetworkTimescale()
    private(set) var followed: [FollowedPeer] = []
    private var pending: [(address: IPAddress, message: Message)] = []
    /// Generation of the lines: changes with every new line.
    private(set) var revision = 0
    /// The number of datagrams from followed addresses that are no PTP messages.
    package private(set) var malformedCount = 0

    /// Creates a follower; `identity` is our own clock.
    package init(identity: ClockIdentity) { self.init(identity: identity, limit: Self.mostFollowed) }

    /// - Parameter limit: The greatest number of addresses at a time, of all programs that share the clock.
    init(identity: ClockIdentity, limit: Int) {
        self.identity = identity
        self.limit = limit
        port = PTPPortIdentity(clock: identity, port: ClockServer.portNumber)
        templates = ClockTemplates(source: port)
    }

    /// Whether no address is followed or kept.
    package var isIdle: Bool { followed.isEmpty }

    /// The deadline for the next ``nextDatagram(into:at:)``; `nil` when nobody is followed.
    package var nextDeadline: HostTime? {
        var earliest: HostTime?
        for peer in followed {
            guard let deadline = peer.deadline else { continue }
            earliest = earliest.map { min($0, deadline) } ?? deadline
        }
        return earliest
    }

    /// Whether there is a place for a clock that a session names in addition to its sender's.
    var hasSparePlaces: Bool {
        followed.count { $0.lingersUntil == nil } < limit - Self.reservedForSenders
    }

    func follows(_ address: IPAddress) -> Bool { followed.contains { $0.address == address } }

    // MARK: Followed addresses

    /// Follows the clock at an address from now on. Balance each call with one ``unfollow(_:at:)``.
    ///
    /// - Parameters:
    ///   - localAddress: The local address to send from, besides those of the other sessions with that address; `nil`
    ///     leaves the choice to the routes.
    ///   - isOwn: Whether the address is this service's own.
    /// - Returns: `false` when there are ``mostFollowed`` addresses already.
    @discardableResult
    package mutating func follow(
        _ address: IPAddress, localAddress: IPAddress? = nil, isOwn: Bool = false, at now: HostTime
    ) -> Bool {
        revision &+= 1
        if let index = followed.firstIndex(where: { $0.address == address }) {
            followed[index].join(localAddress: localAddress, at: now)
            return true
        }
        if followed.count >= limit,
            let index = followed.firstIndex(where: { $0.lingersUntil != nil })
        {
            followed.remove(at: index)
        }
        guard followed.count < limit else { return false }
        followed.append(FollowedPeer(address, localAddress: localAddress, isOwn: isOwn, at: now))
        return true
    }

    /// Ends one ``follow(_:localAddress:isOwn:at:)``. After the last one the follower sends no more Delay_Req.
    package mutating func unfollow(_ address: IPAddress, at now: HostTime) {
        guard let index = followed.firstIndex(where: { $0.address == address }),
            followed[index].lingersUntil == nil
        else { return }
        followed[index].userCount -= 1
        guard followed[index].userCount == 0 else { return }
        followed[index].userCount = 1
        followed[index].lingersUntil = now.advanced(by: Self.linger)
    }

    /// Drops every clock that nobody wants any more, before its linger time ends.
    mutating func forgetLines() {
        followed.removeAll { $0.lingersUntil != nil }
        revision &+= 1
    }

    /// Drops every followed address and every pending answer.
    package mutating func removeAll() {
        followed = []
        pending = []
        revision &+= 1
    }

    // MARK: Messages

    /// Processes one datagram.
    ///
    /// - Parameters:
    ///   - address: The source address; datagrams from addresses that are not followed are ignored.
    ///   - receivedAt: The kernel's timestamp, as host time.
    ///   - answersPeerDelay: Whether to answer Pdelay_Req; `false` for a peer that the clock server serves, too.
    package mutating func receive(
        _ bytes: ArraySlice<UInt8>, from address: IPAddress, on port: ClockPort, at receivedAt: HostTime,
        answersPeerDelay: Bool = true
    ) {
        guard let index = followed.firstIndex(where: { $0.address == address }), !followed[index].isOwn
        else { return }
        guard let message = try? PTPMessage(datagram: bytes), message.header.domain == 0 else {
            malformedCount += 1
            return
        }
        let isNew =
            switch message {
            case .announce(let announce): followed[index].receive(announce, at: receivedAt)
            case .sync(let sync) where port == .event: followed[index].receive(sync, at: receivedAt)
            case .followUp(let followUp): followed[index].receive(followUp, at: receivedAt)
            case .delayResponse(let response) where response.requester == self.port:
                followed[index].receive(response, at: receivedAt)
            case .peerDelayRequest(let request) where port == .event && answersPeerDelay:
                answer(request.header, of: index, at: receivedAt)
            default: false
            }
        if isNew { revision &+= 1 }
    }

    private mutating func answer(_ request: PTPHeader, of index: Int, at receivedAt: HostTime) -> Bool {
        guard pending.count < Self.mostPending, followed[index].budget.take(at: receivedAt) else {
            return false
        }
        let answer = ClockAnswer(to: request, receivedAt: timescale.networkTime(at: receivedAt))
        pending.append((followed[index].address, .peerDelayResponse(answer)))
        pending.append((followed[index].address, .peerDelayResponseFollowUp(answer)))
        return false
    }

    /// Fills `datagram` with the next message to send.
    ///
    /// If ``ClockDatagram/isQuestion`` is set, call ``questionLeft(_:at:)`` once the datagram has been sent.
    /// - Returns: `false` when there is nothing to send.
    package mutating func nextDatagram(into datagram: inout ClockDatagram, at now: HostTime) -> Bool {
        forgetLingered(at: now)
        if !pending.isEmpty {
            let (address, message) = pending.removeFirst()
            load(message, to: address, into: &datagram)
            return true
        }
        for index in followed.indices where followed[index].lingersUntil == nil {
            guard let question = followed[index].takeQuestion(at: now) else { continue }
            datagram.load(
                templates.delayRequest, port: .event, to: followed[index].address,
                from: question.from, sequence: question.sequence)
            datagram.markQuestion()
            return true
        }
        return false
    }

    /// Notes that a Delay_Req left at `departure`.
    package mutating func questionLeft(_ datagram: ClockDatagram, at departure: HostTime) {
        guard let index = followed.firstIndex(where: { $0.address == datagram.destination }) else { return }
        followed[index].questions.left(datagram.sequence, at: departure)
    }

    /// Notes a Delay_Req that the serving program has sent instead of this one.
    mutating func questionLeft(to address: IPAddress, sequence: UInt16, at departure: HostTime) {
        guard let index = followed.firstIndex(where: { $0.address == address }) else { return }
        followed[index].questions.leftElsewhere(sequence, at: departure)
    }

    private func load(_ message: Message, to address: IPAddress, into datagram: inout ClockDatagram) {
        let source = followed.first { $0.address == address }?.localAddresses.last ?? nil
        switch message {
        case .peerDelayResponse(let answer):
            datagram.load(
                templates.peerDelayResponse, port: .event, to: address, from: source,
                sequence: answer.sequence)
            datagram.write(PTPTimestamp(answer.receivedAt), at: ClockTemplates.answerTimestamp)
            datagram.write(answer.requester, at: ClockTemplates.answerRequester)
        case .peerDelayResponseFollowUp(let answer):
            datagram.load(
                templates.peerDelayResponseFollowUp, port: .general, to: address, from: source,
                sequence: answer.sequence)
            datagram.write(UInt64(bitPattern: answer.correction.rawValue), at: PTPHeader.correctionOffset)
            datagram.write(answer.requester, at: ClockTemplates.answerRequester)
            datagram.stampDeparture(adding: 0)
        }
    }

    private mutating func forgetLingered(at now: HostTime) {
        guard followed.contains(where: { $0.lingersUntil.map { $0 <= now } ?? false }) else { return }
        followed.removeAll { $0.lingersUntil.map { $0 <= now } ?? false }
        revision &+= 1
    }

    // MARK: Results

    /// Returns the line of a clock near `now`; see ``ClockService/mapping(of:toldBy:)``.
    package func mapping(
        of identity: ClockIdentity, toldBy addresses: Set<IPAddress>? = nil, at now: HostTime
    ) -> ClockMapping? {
        clocks.mapping(of: identity, toldBy: addresses, at: now)
    }

    /// Returns the status of one address; `nil` for an address that nobody wants followed.
    package func status(of address: IPAddress, at now: HostTime) -> FollowedClockStatus? {
        followed.first { $0.address == address && $0.lingersUntil == nil }?
            .status(at: now, own: identity, timescale: timescale)
    }

    /// Returns the status of every address that is followed, without those that only linger.
    package func statuses(at now: HostTime) -> [FollowedClockStatus] {
        followed.filter { $0.lingersUntil == nil }.map {
            $0.status(at: now, own: identity, timescale: timescale)
        }
    }

    /// A snapshot of all lines, for readers on other threads.
    var clocks: FollowedClocks {
        FollowedClocks(
            own: identity, timescale: timescale,
            entries: followed.map {
                FollowedClocks.Entry(
                    address: $0.address,
                    identity: $0.isOwn ? identity : $0.grandmaster, isDirect: $0.source == $0.grandmaster,
                    isOwn: $0.isOwn, line: $0.clock.line, generation: $0.generation,
                    settledSince: $0.settledSince, lastSample: $0.clock.lastSample)
            })
    }
}
