import MediaTime
import Wire

/// The 34 bytes that begin every PTP message.
///
///     0 sdo<<4 | type   1 version   2 length   4 domain   5 minor sdo   6 flags   8 correction
///     16 type specific  20 source port identity  30 sequence  32 control  33 log interval
///
/// Source: IEEE 1588-2019, 13.3. Values of the AirPlay profile: *observed*.
public struct PTPHeader: Hashable, Sendable {
    /// 1 in this profile, as in IEEE 802.1AS. *Observed*: receivers discard 0 in silence (Sonos).
    public var majorSdoID: UInt8 = 1
    public var type: PTPMessageType
    /// The low half is the major version, 2.
    public var version: UInt8 = 2
    public var domain: UInt8 = 0
    public var minorSdoID: UInt8 = 0
    public var flags: PTPFlags
    public var correction = PTPCorrection.zero
    public var typeSpecific: UInt32 = 0
    public var source: PTPPortIdentity
    public var sequence: UInt16
    public var control: UInt8
    /// Log2 of the mean interval in seconds; −128 or 0x7F where there is none.
    public var logInterval: Int8

    public static let byteCount = 34
    /// Byte offsets, for patching an encoded message.
    public static let correctionOffset = 8
    public static let sequenceOffset = 30

    public init(
        type: PTPMessageType, flags: PTPFlags, source: PTPPortIdentity, sequence: UInt16, control: UInt8,
        logInterval: Int8
    ) {
        self.type = type
        self.flags = flags
        self.source = source
        self.sequence = sequence
        self.control = control
        self.logInterval = logInterval
    }
}

extension PTPHeader {
    /// Reads the header and cuts the reader to the message's own length.
    ///
    /// Bytes after that length are padding of the network and ignored.
    /// - Throws: ``WireError`` for an unknown type, another major version than 2, or a length that
    ///   the bytes do not have.
    init(parsing input: inout ByteReader) throws(WireError) {
        let available = input.remaining
        let first = try input.byte(field: "messageType")
        guard let type = PTPMessageType(rawValue: first & 0x0F) else {
            throw .unexpected(field: "messageType", value: UInt64(first & 0x0F))
        }
        let version = try input.byte(field: "versionPTP")
        guard version & 0x0F == 2 else { throw .unexpected(field: "versionPTP", value: UInt64(version)) }
        let length = Int(try input.integer(UInt16.self, field: "messageLength"))
        let domain = try input.byte(field: "domainNumber")
        let minor = try input.byte(field: "minorSdoId")
        let flags = try input.integer(UInt16.self, field: "flagField")
        let correction = try input.integer(UInt64.self, field: "correctionField")
        let typeSpecific = try input.integer(UInt32.self, field: "messageTypeSpecific")
        let source = try PTPPortIdentity(parsing: &input)
        let sequence = try input.integer(UInt16.self, field: "sequenceId")
        let control = try input.byte(field: "controlField")
        let logInterval = try input.byte(field: "logMessageInterval")
        guard length >= Self.byteCount else {
            throw .outOfRange(field: "messageLength", value: UInt64(length))
        }
        guard length <= available else {
            throw .truncated(field: "message", needed: length, available: available)
        }
        input = ByteReader(try input.slice(count: length - Self.byteCount, field: "body"))
        self.init(
            type: type, flags: PTPFlags(rawValue: flags), source: source, sequence: sequence,
            control: control,
            logInterval: Int8(bitPattern: logInterval))
        majorSdoID = first >> 4
        self.version = version
        self.domain = domain
        minorSdoID = minor
        self.correction = PTPCorrection(rawValue: Int64(bitPattern: correction))
        self.typeSpecific = typeSpecific
    }

    /// Writes the header of a message of `length` bytes.
    func encode(length: Int, into output: inout ByteWriter) {
        output.integer(majorSdoID << 4 | type.rawValue)
        output.integer(version)
        output.integer(UInt16(clamping: length))
        output.integer(domain)
        output.integer(minorSdoID)
        output.integer(flags.rawValue)
        output.integer(UInt64(bitPattern: correction.rawValue))
        output.integer(typeSpecific)
        source.encode(into: &output)
        output.integer(sequence)
        output.integer(control)
        output.integer(UInt8(bitPattern: logInterval))
    }
}
