import TuttiMediaTime
import TuttiWire

/// One type-length-value at the end of a PTP message.
///
/// Layout: 16-bit type, 16-bit length, that many bytes. Unknown TLVs are kept unchanged.
///
/// Source: IEEE 1588-2019, 14; IEEE 802.1AS-2020, 11.4.4.3; Apple's forms *observed*.
package enum PTPTLV: Hashable, Sendable {
    /// The clocks that an Announce has passed, 8 bytes each.
    case pathTrace([ClockIdentity])
    /// The 802.1AS part of a Follow_Up.
    case followUpInformation(PTPFollowUpInformation)
    /// Apple's organization extensions, by subtype. Their meaning is unknown, except that of ``appleClock``,
    /// which repeats the clock identity.
    case apple(subtype: UInt32, value: [UInt8])
    /// A request for messages by unicast.
    case unicastRequest(PTPUnicastRequest)
    /// A grant of messages by unicast.
    case unicastGrant(PTPUnicastGrant)
    /// Any other TLV, unchanged.
    case unknown(type: UInt16, value: [UInt8])

    /// The limit of TLVs per message, beyond which parsing fails; 2 are usual.
    package static let mostPerMessage = 32

    /// The subtype of Apple's extension of a Follow_Up.
    package static let appleClock: UInt32 = 4

    static let organizationExtension: UInt16 = 0x0003
    static let unicastRequestType: UInt16 = 0x0004
    static let unicastGrantType: UInt16 = 0x0005
    static let pathTraceType: UInt16 = 0x0008
    static let appleOrganization: UInt32 = 0x000D93
    static let ieee8021Organization: UInt32 = 0x0080C2
}

extension PTPTLV: WireFormat {
    package init(parsing input: inout ByteReader) throws(WireError) {
        let type = try input.integer(UInt16.self, field: "tlvType")
        let length = Int(try input.integer(UInt16.self, field: "tlvLength"))
        let value = try input.slice(count: length, field: "tlvValue")
        var reader = ByteReader(value)
        switch type {
        case Self.pathTraceType where length % 8 == 0:
            var clocks: [ClockIdentity] = []
            while !reader.isAtEnd {
                clocks.append(ClockIdentity(rawValue: try reader.integer(UInt64.self, field: "pathSequence")))
            }
            self = .pathTrace(clocks)
        case Self.organizationExtension where length >= 6:
            self = try Self.organization(&reader, value: value)
        case Self.unicastRequestType where length == PTPUnicastRequest.byteCount:
            self = .unicastRequest(try PTPUnicastRequest(parsing: &reader))
        case Self.unicastGrantType where length == PTPUnicastGrant.byteCount:
            self = .unicastGrant(try PTPUnicastGrant(parsing: &reader))
        default:
            self = .unknown(type: type, value: Array(value))
        }
    }

    private static func organization(
        _ reader: inout ByteReader, value: ArraySlice<UInt8>
    ) throws(WireError) -> PTPTLV {
        let organization = try reader.integer(UInt32.self, byteCount: 3, field: "organizationId")
        let subtype = try reader.integer(UInt32.self, byteCount: 3, field: "organizationSubType")
        switch (organization, subtype) {
        case (appleOrganization, _):
            return .apple(subtype: subtype, value: Array(reader.rest()))
        case (ieee8021Organization, 1) where reader.remaining == PTPFollowUpInformation.byteCount:
            return .followUpInformation(try PTPFollowUpInformation(parsing: &reader))
        default:
            return .unknown(type: organizationExtension, value: Array(value))
        }
    }

    package func encode(into output: inout ByteWriter) {
        var value = ByteWriter()
        let type: UInt16
        switch self {
        case .pathTrace(let clocks):
            type = Self.pathTraceType
            for clock in clocks { value.integer(clock.rawValue) }
        case .followUpInformation(let information):
            type = Self.organizationExtension
            value.integer(Self.ieee8021Organization, byteCount: 3)
            value.integer(UInt32(1), byteCount: 3)
            information.encode(into: &value)
        case .apple(let subtype, let payload):
            type = Self.organizationExtension
            value.integer(Self.appleOrganization, byteCount: 3)
            value.integer(subtype, byteCount: 3)
            value.append(payload)
        case .unicastRequest(let request):
            type = Self.unicastRequestType
            request.encode(into: &value)
        case .unicastGrant(let grant):
            type = Self.unicastGrantType
            grant.encode(into: &value)
        case .unknown(let unknownType, let payload):
            type = unknownType
            value.append(payload)
        }
        output.integer(type)
        output.integer(UInt16(clamping: value.bytes.count))
        output.append(value.bytes.prefix(Int(UInt16.max)))
    }

    /// Reads all TLVs to the end of a message; a single odd byte of padding is ignored.
    static func all(in input: inout ByteReader) throws(WireError) -> [PTPTLV] {
        var found: [PTPTLV] = []
        while input.remaining > 1 {
            guard found.count < mostPerMessage else {
                throw .outOfRange(field: "tlvCount", value: UInt64(mostPerMessage) + 1)
            }
            found.append(try PTPTLV(parsing: &input))
        }
        return found
    }
}
