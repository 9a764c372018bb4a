import TuttiWire

/// Any PTP message of this profile.
package enum PTPMessage: Hashable, Sendable {
    /// An Announce message.
    case announce(PTPAnnounce)
    /// A Sync message.
    case sync(PTPSync)
    /// A Follow_Up message.
    case followUp(PTPFollowUp)
    /// A Delay_Req message.
    case delayRequest(PTPDelayRequest)
    /// A Delay_Resp message.
    case delayResponse(PTPDelayResponse)
    /// A Pdelay_Req message.
    case peerDelayRequest(PTPPeerDelayRequest)
    /// A Pdelay_Resp message.
    case peerDelayResponse(PTPPeerDelayResponse)
    /// A Pdelay_Resp_Follow_Up message.
    case peerDelayResponseFollowUp(PTPPeerDelayResponseFollowUp)
    /// A Signaling message.
    case signaling(PTPSignaling)
    /// A management message, header only; this profile does not use it.
    case management(PTPHeader)

    /// Decodes one datagram; bytes after the message's own length are ignored.
    ///
    /// - Throws: ``WireError`` for anything but a version 2 message of a known type.
    package init(datagram: ArraySlice<UInt8>) throws(WireError) {
        var input = ByteReader(datagram)
        let header = try PTPHeader(parsing: &input)
        switch header.type {
        case .announce: self = .announce(try PTPAnnounce(header: header, parsing: &input))
        case .sync: self = .sync(try PTPSync(header: header, parsing: &input))
        case .followUp: self = .followUp(try PTPFollowUp(header: header, parsing: &input))
        case .delayRequest: self = .delayRequest(try PTPDelayRequest(header: header, parsing: &input))
        case .delayResponse: self = .delayResponse(try PTPDelayResponse(header: header, parsing: &input))
        case .peerDelayRequest:
            self = .peerDelayRequest(try PTPPeerDelayRequest(header: header, parsing: &input))
        case .peerDelayResponse:
            self = .peerDelayResponse(try PTPPeerDelayResponse(header: header, parsing: &input))
        case .peerDelayResponseFollowUp:
            self = .peerDelayResponseFollowUp(
                try PTPPeerDelayResponseFollowUp(header: header, parsing: &input))
        case .signaling: self = .signaling(try PTPSignaling(header: header, parsing: &input))
        case .management: self = .management(header)
        }
    }

    /// Decodes one datagram.
    package init(datagram: [UInt8]) throws(WireError) { try self.init(datagram: datagram[...]) }

    /// The header of the message.
    package var header: PTPHeader { body.header }

    /// The encoded message; for a management message the header alone.
    package var encoded: [UInt8] { body.encodedMessage }

    private var body: any PTPMessageBody {
        switch self {
        case .announce(let message): message
        case .sync(let message): message
        case .followUp(let message): message
        case .delayRequest(let message): message
        case .delayResponse(let message): message
        case .peerDelayRequest(let message): message
        case .peerDelayResponse(let message): message
        case .peerDelayResponseFollowUp(let message): message
        case .signaling(let message): message
        case .management(let header): PTPBareHeader(header: header)
        }
    }
}

/// A message whose body is ignored.
private struct PTPBareHeader: PTPMessageBody {
    let header: PTPHeader

    init(header: PTPHeader) { self.header = header }

    init(header: PTPHeader, parsing input: inout ByteReader) throws(WireError) { self.header = header }

    func encodeBody(into output: inout ByteWriter) {}
}
