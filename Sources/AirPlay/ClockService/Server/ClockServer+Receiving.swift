import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO

extension ClockServer {
    /// Processes one datagram.
    ///
    /// - Parameters:
    ///   - address: The source address; an address that is no peer gets no answer.
    ///   - receivedAt: The kernel's timestamp, as host time.
    package mutating func receive(
        _ bytes: ArraySlice<UInt8>, from address: IPAddress, on port: ClockPort, at receivedAt: HostTime
    ) {
        guard let index = indices[address] else {
            strangerCount += 1
            return
        }
        guard let message = try? PTPMessage(datagram: bytes), message.header.domain == 0,
            message.header.source.clock != configuration.identity || message.isPathQuestion
        else {
            malformedCount += 1
            return
        }
        peers[index].isHeard = true
        switch message {
        case .delayRequest(let request) where port == .event:
            answerDelayRequest(request.header, of: index, at: receivedAt)
        case .peerDelayRequest(let request) where port == .event:
            peers[index].measurePath(at: receivedAt)
            guard let answer = admit(request.header, of: index, at: receivedAt) else { return }
            enqueue(.peerDelayResponse(answer), for: address)
            enqueue(.peerDelayResponseFollowUp(answer), for: address)
        case .signaling(let request):
            guard let grant = PTPSignaling.grant(to: request, source: source),
                admit(request.header, of: index, at: receivedAt) != nil
            else { return }
            enqueue(
                .grant(PTPMessage.signaling(grant).encoded, sequence: request.header.sequence), for: address)
        case .announce(let announce):
            // A follower's poke, or its claim to be master: keep our role.
            let own = yields(to: address) ? nil : configuration.identity
            peers[index].announced(announce.grandmaster, own: own, at: receivedAt)
        default:
            break
        }
    }

    private mutating func answerDelayRequest(
        _ request: PTPHeader, of index: Int, at receivedAt: HostTime
    ) {
        peers[index].measurePath(at: receivedAt)
        let wantsSync =
            peers[index].following.behaviour.isQuick
            && peers[index].following.isFirstQuestion(at: receivedAt)
        peers[index].following.asked(at: receivedAt)
        noteState(of: index, at: receivedAt)
        guard let answer = admit(request, of: index, at: receivedAt) else { return }
        enqueue(.delayResponse(answer), for: peers[index].id)
        if wantsSync { serveAtOnce(index) }
    }

    /// Enqueues Announce, Sync and Follow_Up, which a quick follower needs besides the answer to its request.
    private mutating func serveAtOnce(_ index: Int) {
        let peer = peers[index].id
        enqueue(.announce, for: peer)
        peers[index].syncSequence &+= 1
        let sequence = peers[index].syncSequence
        enqueue(.sync(sequence: sequence), for: peer)
        enqueue(.followUp(sequence: sequence), for: peer)
    }

    /// Returns the fields that the answer copies; `nil` when the peer has exhausted its rate limit.
    private mutating func admit(
        _ request: PTPHeader, of index: Int, at receivedAt: HostTime
    ) -> ClockAnswer? {
        guard peers[index].budget.take(at: receivedAt) else {
            peers[index].refusedRequestCount += 1
            return nil
        }
        // The peer measures a path that is shorter by the delay added to its last Follow_Up.
        let arrival = timescale.networkTime(at: receivedAt).nanoseconds &- peers[index].lastServed
        return ClockAnswer(to: request, receivedAt: NetworkTime(nanoseconds: arrival))
    }
}

extension PTPMessage {
    /// Whether the message is a request that is allowed with our own identity, too: from a follower in this
    /// process or another process of this machine.
    fileprivate var isPathQuestion: Bool {
        switch self {
        case .delayRequest, .peerDelayRequest: true
        default: false
        }
    }
}
