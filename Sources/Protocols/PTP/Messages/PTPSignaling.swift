import TuttiWire

/// Signaling: requests and announcements between two ports.
///
/// Layout after the header: 10 identity of the target port, TLVs.
///
/// Source: IEEE 1588-2019, 13.12.
package struct PTPSignaling: Hashable, Sendable {
    /// The common header.
    package var header: PTPHeader
    /// The port that the message is for.
    package var target: PTPPortIdentity
    /// The TLVs at the end of the message.
    package var tlvs: [PTPTLV]

    /// Returns the periodic message of this profile, with two of Apple's extensions.
    ///
    /// *Observed*: a Symfonisk that got Announce and Sync without this message never sent a packet back. The
    /// meaning of the values is unknown; receivers do not seem to read them.
    package static func periodic(source: PTPPortIdentity, sequence: UInt16) -> PTPSignaling {
        let lead: [UInt8] = [0, 0, 3, 1]
        return PTPSignaling(
            source: source, sequence: sequence, target: .zero, flags: [.unicast, .ptpTimescale],
            logInterval: -128,
            tlvs: [
                .apple(subtype: 1, value: lead + [UInt8](repeating: 0, count: 12)),
                .apple(subtype: 5, value: lead + [UInt8](repeating: 0, count: 22)),
            ])
    }

    /// Returns the answer to a negotiation: one grant per request in it, and nothing else.
    ///
    /// - Returns: `nil` when the message contains no request.
    package static func grant(to request: PTPSignaling, source: PTPPortIdentity) -> PTPSignaling? {
        let grants = request.tlvs.compactMap { tlv -> PTPTLV? in
            guard case .unicastRequest(let wanted) = tlv else { return nil }
            return .unicastGrant(PTPUnicastGrant(granting: wanted))
        }
        guard !grants.isEmpty else { return nil }
        return PTPSignaling(
            source: source, sequence: request.header.sequence, target: request.header.source,
            flags: [.unicast],
            logInterval: 0x7F, tlvs: grants)
    }

    /// Creates a message with these header fields and TLVs.
    package init(
        source: PTPPortIdentity, sequence: UInt16, target: PTPPortIdentity, flags: PTPFlags,
        logInterval: Int8,
        tlvs: [PTPTLV]
    ) {
        header = PTPHeader(
            type: .signaling, flags: flags, source: source, sequence: sequence, control: 5,
            logInterval: logInterval)
        self.target = target
        self.tlvs = tlvs
    }
}

extension PTPSignaling: PTPMessageBody {
    init(header: PTPHeader, parsing input: inout ByteReader) throws(WireError) {
        self.header = header
        target = try PTPPortIdentity(parsing: &input)
        tlvs = try PTPTLV.all(in: &input)
    }

    func encodeBody(into output: inout ByteWriter) {
        target.encode(into: &output)
        for tlv in tlvs { tlv.encode(into: &output) }
    }
}
