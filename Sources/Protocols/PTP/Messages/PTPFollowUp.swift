import TuttiWire

/// Follow_Up: the departure time of the Sync with the same sequence number.
///
/// Layout after the header: 10 precise origin timestamp, TLVs.
///
/// Source: IEEE 1588-2019, 13.7; TLVs: IEEE 802.1AS-2020, 11.4.4, and *observed*.
package struct PTPFollowUp: Hashable, Sendable {
    /// The common header.
    package var header: PTPHeader
    /// The departure time of the Sync, in network time.
    package var preciseOriginTimestamp: PTPTimestamp
    /// The TLVs at the end of the message.
    package var tlvs: [PTPTLV]

    /// The byte offset of the timestamp, for patching an encoded message.
    package static let timestampOffset = PTPHeader.byteCount

    /// Creates a Follow_Up with the TLVs of this profile.
    package init(source: PTPPortIdentity, sequence: UInt16, preciseOriginTimestamp: PTPTimestamp) {
        header = PTPHeader(
            type: .followUp, flags: [.unicast, .ptpTimescale], source: source, sequence: sequence, control: 2,
            logInterval: PTPSync.logInterval)
        self.preciseOriginTimestamp = preciseOriginTimestamp
        var clock = ByteWriter(reserving: 10)
        clock.integer(source.clock.rawValue)
        clock.zeros(2)
        tlvs = [
            .followUpInformation(PTPFollowUpInformation()),
            .apple(subtype: PTPTLV.appleClock, value: clock.bytes),
        ]
    }
}

extension PTPFollowUp: PTPMessageBody {
    init(header: PTPHeader, parsing input: inout ByteReader) throws(WireError) {
        self.header = header
        preciseOriginTimestamp = try PTPTimestamp(parsing: &input)
        tlvs = try PTPTLV.all(in: &input)
    }

    func encodeBody(into output: inout ByteWriter) {
        preciseOriginTimestamp.encode(into: &output)
        for tlv in tlvs { tlv.encode(into: &output) }
    }
}
