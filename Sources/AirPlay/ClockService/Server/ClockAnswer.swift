import TuttiMediaTime
import TuttiPTP

/// The fields that an answer copies from the request, and the request's arrival time.
struct ClockAnswer {
    var sequence: UInt16
    var correction: PTPCorrection
    var requester: PTPPortIdentity
    var receivedAt: NetworkTime

    init(to request: PTPHeader, receivedAt: NetworkTime) {
        sequence = request.sequence
        correction = request.correction
        requester = request.source
        self.receivedAt = receivedAt
    }
}

/// A message queued for sending.
struct PendingMessage {
    enum Kind {
        case announce
        case sync(sequence: UInt16)
        case followUp(sequence: UInt16)
        case signaling
        case delayResponse(ClockAnswer)
        case peerDelayResponse(ClockAnswer)
        case peerDelayResponseFollowUp(ClockAnswer)
        case grant([UInt8], sequence: UInt16)

        /// Whether the message offers our clock to the peer; the others ask it for messages, or answer it.
        var offersClock: Bool {
            switch self {
            case .announce, .sync, .followUp: true
            case .signaling, .delayResponse, .peerDelayResponse, .peerDelayResponseFollowUp, .grant: false
            }
        }
    }

    var peer: ClockPeer.ID
    var kind: Kind
}

/// The messages of one clock, encoded once; each send overwrites the fields that change.
struct ClockTemplates {
    let announce: [UInt8]
    let sync: [UInt8]
    let followUp: [UInt8]
    let signaling: [UInt8]
    let delayRequest: [UInt8]
    let delayResponse: [UInt8]
    let peerDelayResponse: [UInt8]
    let peerDelayResponseFollowUp: [UInt8]

    /// Byte offsets in the three kinds of answers.
    static let answerTimestamp = PTPHeader.byteCount
    static let answerRequester = PTPHeader.byteCount + PTPTimestamp.byteCount

    init(source: PTPPortIdentity) {
        let asked = PTPDelayRequest(source: .zero, sequence: 0).header
        announce = PTPMessage.announce(PTPAnnounce(source: source, sequence: 0)).encoded
        sync = PTPMessage.sync(PTPSync(source: source, sequence: 0)).encoded
        followUp =
            PTPMessage.followUp(PTPFollowUp(source: source, sequence: 0, preciseOriginTimestamp: .zero))
            .encoded
        signaling = PTPMessage.signaling(.periodic(source: source, sequence: 0)).encoded
        delayRequest = PTPMessage.delayRequest(PTPDelayRequest(source: source, sequence: 0)).encoded
        delayResponse =
            PTPMessage.delayResponse(PTPDelayResponse(to: asked, source: source, receiveTimestamp: .zero))
            .encoded
        peerDelayResponse =
            PTPMessage.peerDelayResponse(
                PTPPeerDelayResponse(to: asked, source: source, requestReceiptTimestamp: .zero)
            ).encoded
        peerDelayResponseFollowUp =
            PTPMessage.peerDelayResponseFollowUp(
                PTPPeerDelayResponseFollowUp(to: asked, source: source, responseOriginTimestamp: .zero)
            ).encoded
    }
}
