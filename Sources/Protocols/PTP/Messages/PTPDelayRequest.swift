import TuttiWire

/// Delay_Req: asks for the arrival time of this message.
///
/// Layout after the header: 10 origin timestamp, may be zero.
///
/// Source: IEEE 1588-2019, 13.6.
package struct PTPDelayRequest: Hashable, Sendable {
    /// The common header.
    package var header: PTPHeader
    /// The time of sending; may be zero.
    package var originTimestamp = PTPTimestamp.zero
    /// The TLVs at the end of the message.
    package var tlvs: [PTPTLV] = []

    /// Creates a request with the profile's header and an origin time of zero.
    package init(source: PTPPortIdentity, sequence: UInt16) {
        header = PTPHeader(
            type: .delayRequest, flags: [.unicast, .ptpTimescale], source: source, sequence: sequence,
            control: 1, logInterval: -128)
    }
}

extension PTPDelayRequest: PTPMessageBody {
    init(header: PTPHeader, parsing input: inout ByteReader) throws(WireError) {
        self.header = header
        originTimestamp = try PTPTimestamp(parsing: &input)
        tlvs = try PTPTLV.all(in: &input)
    }

    func encodeBody(into output: inout ByteWriter) {
        originTimestamp.encode(into: &output)
        for tlv in tlvs { tlv.encode(into: &output) }
    }
}
