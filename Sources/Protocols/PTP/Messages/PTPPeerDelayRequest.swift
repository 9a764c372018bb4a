import TuttiWire

/// Pdelay_Req: asks the neighbour for the delay of the link.
///
/// Layout after the header: 10 origin timestamp, 10 reserved.
///
/// Source: IEEE 1588-2019, 13.9.
package struct PTPPeerDelayRequest: Hashable, Sendable {
    /// The common header.
    package var header: PTPHeader
    /// The time of sending; may be zero.
    package var originTimestamp = PTPTimestamp.zero
    /// The TLVs at the end of the message.
    package var tlvs: [PTPTLV] = []

    /// Creates a request with the profile's header.
    package init(source: PTPPortIdentity, sequence: UInt16) {
        header = PTPHeader(
            type: .peerDelayRequest, flags: [.unicast, .ptpTimescale], source: source, sequence: sequence,
            control: 5, logInterval: 0)
    }
}

extension PTPPeerDelayRequest: PTPMessageBody {
    init(header: PTPHeader, parsing input: inout ByteReader) throws(WireError) {
        self.header = header
        originTimestamp = try PTPTimestamp(parsing: &input)
        try input.skip(10, field: "reserved")
        tlvs = try PTPTLV.all(in: &input)
    }

    func encodeBody(into output: inout ByteWriter) {
        originTimestamp.encode(into: &output)
        output.zeros(10)
        for tlv in tlvs { tlv.encode(into: &output) }
    }
}
