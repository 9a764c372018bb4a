import TuttiWire

/// Delay_Resp: the arrival time of a ``PTPDelayRequest``.
///
/// Layout after the header: 10 receive timestamp, 10 identity of the requesting port.
///
/// Source: IEEE 1588-2019, 13.8. Flags and interval: *observed*.
package struct PTPDelayResponse: Hashable, Sendable {
    /// The common header.
    package var header: PTPHeader
    /// The arrival time of the request, in network time.
    package var receiveTimestamp: PTPTimestamp
    /// The port that sent the request.
    package var requester: PTPPortIdentity
    /// The TLVs at the end of the message.
    package var tlvs: [PTPTLV] = []

    /// Creates the answer to `request`, with its correction.
    package init(to request: PTPHeader, source: PTPPortIdentity, receiveTimestamp: PTPTimestamp) {
        header = PTPHeader(
            type: .delayResponse, flags: [.twoStep, .unicast, .ptpTimescale], source: source,
            sequence: request.sequence, control: 3, logInterval: PTPSync.logInterval)
        header.correction = request.correction
        self.receiveTimestamp = receiveTimestamp
        requester = request.source
    }
}

extension PTPDelayResponse: PTPMessageBody {
    init(header: PTPHeader, parsing input: inout ByteReader) throws(WireError) {
        self.header = header
        receiveTimestamp = try PTPTimestamp(parsing: &input)
        requester = try PTPPortIdentity(parsing: &input)
        tlvs = try PTPTLV.all(in: &input)
    }

    func encodeBody(into output: inout ByteWriter) {
        receiveTimestamp.encode(into: &output)
        requester.encode(into: &output)
        for tlv in tlvs { tlv.encode(into: &output) }
    }
}
