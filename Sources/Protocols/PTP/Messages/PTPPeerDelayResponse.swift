import TuttiWire

/// Pdelay_Resp: the arrival time of a ``PTPPeerDelayRequest``.
///
/// Layout after the header: 10 request receipt timestamp, 10 identity of the requesting port.
///
/// Source: IEEE 1588-2019, 13.10.
package struct PTPPeerDelayResponse: Hashable, Sendable {
    /// The common header.
    package var header: PTPHeader
    /// The arrival time of the request, in network time.
    package var requestReceiptTimestamp: PTPTimestamp
    /// The port that sent the request.
    package var requester: PTPPortIdentity
    /// The TLVs at the end of the message.
    package var tlvs: [PTPTLV] = []

    /// Creates the answer to `request`.
    package init(to request: PTPHeader, source: PTPPortIdentity, requestReceiptTimestamp: PTPTimestamp) {
        header = PTPHeader(
            type: .peerDelayResponse, flags: [.twoStep, .unicast, .ptpTimescale], source: source,
            sequence: request.sequence, control: 5, logInterval: 0x7F)
        self.requestReceiptTimestamp = requestReceiptTimestamp
        requester = request.source
    }
}

extension PTPPeerDelayResponse: PTPMessageBody {
    init(header: PTPHeader, parsing input: inout ByteReader) throws(WireError) {
        self.header = header
        requestReceiptTimestamp = try PTPTimestamp(parsing: &input)
        requester = try PTPPortIdentity(parsing: &input)
        tlvs = try PTPTLV.all(in: &input)
    }

    func encodeBody(into output: inout ByteWriter) {
        requestReceiptTimestamp.encode(into: &output)
        requester.encode(into: &output)
        for tlv in tlvs { tlv.encode(into: &output) }
    }
}

/// Pdelay_Resp_Follow_Up: the departure time of the ``PTPPeerDelayResponse`` with the same sequence number.
///
/// Layout after the header: 10 response origin timestamp, 10 identity of the requesting port.
///
/// Source: IEEE 1588-2019, 13.11.
package struct PTPPeerDelayResponseFollowUp: Hashable, Sendable {
    /// The common header.
    package var header: PTPHeader
    /// The departure time of the response, in network time.
    package var responseOriginTimestamp: PTPTimestamp
    /// The port that sent the request.
    package var requester: PTPPortIdentity
    /// The TLVs at the end of the message.
    package var tlvs: [PTPTLV] = []

    /// Creates the follow-up of the answer to `request`, with its correction.
    package init(to request: PTPHeader, source: PTPPortIdentity, responseOriginTimestamp: PTPTimestamp) {
        header = PTPHeader(
            type: .peerDelayResponseFollowUp, flags: [.unicast, .ptpTimescale], source: source,
            sequence: request.sequence, control: 5, logInterval: 0x7F)
        header.correction = request.correction
        self.responseOriginTimestamp = responseOriginTimestamp
        requester = request.source
    }
}

extension PTPPeerDelayResponseFollowUp: PTPMessageBody {
    init(header: PTPHeader, parsing input: inout ByteReader) throws(WireError) {
        self.header = header
        responseOriginTimestamp = try PTPTimestamp(parsing: &input)
        requester = try PTPPortIdentity(parsing: &input)
        tlvs = try PTPTLV.all(in: &input)
    }

    func encodeBody(into output: inout ByteWriter) {
        responseOriginTimestamp.encode(into: &output)
        requester.encode(into: &output)
        for tlv in tlvs { tlv.encode(into: &output) }
    }
}
