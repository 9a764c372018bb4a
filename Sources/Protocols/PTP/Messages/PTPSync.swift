import TuttiWire

/// Sync: its departure is the timed event; the exact time follows in a ``PTPFollowUp``.
///
/// Layout after the header: 10 origin timestamp, zero in a two-step Sync.
///
/// Source: IEEE 1588-2019, 13.6.
package struct PTPSync: Hashable, Sendable {
    /// The common header.
    package var header: PTPHeader
    /// The departure time of a one-step Sync; zero in a two-step Sync.
    package var originTimestamp = PTPTimestamp.zero
    /// The TLVs at the end of the message.
    package var tlvs: [PTPTLV] = []

    /// Log2 of the interval of Sync and Follow_Up in seconds: eight per second.
    package static let logInterval: Int8 = -3

    /// Creates a two-step Sync.
    package init(source: PTPPortIdentity, sequence: UInt16) {
        header = PTPHeader(
            type: .sync, flags: [.twoStep, .unicast, .ptpTimescale], source: source, sequence: sequence,
            control: 0, logInterval: Self.logInterval)
    }
}

extension PTPSync: PTPMessageBody {
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
