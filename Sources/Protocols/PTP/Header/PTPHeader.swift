import TuttiMediaTime
import TuttiWire

/// The 34 bytes that begin every PTP message.
///
///     0 sdo<<4 | type   1 version   2 length   4 domain   5 minor sdo   6 flags   8 correction
///     16 type specific  20 source port identity  30 sequence  32 control  33 log interval
///
/// Source: IEEE 1588-2019, 13.3. Values of the AirPlay profile: *observed*.
package struct PTPHeader: Hashable, Sendable {
    /// The upper half of the first byte; 1 in this profile, as in IEEE 802.1AS. *Observed*: Sonos silently
    /// discards 0.
    package var majorSdoID: UInt8 = 1
    /// The message type, the lower half of the first byte.
    package var type: PTPMessageType
    /// The version byte; its lower half is the major version, 2.
    package var version: UInt8 = 2
    /// The PTP domain; 0 in this profile.
    package var domain: UInt8 = 0
    /// The minor SDO identifier; 0 in our messages.
    package var minorSdoID: UInt8 = 0
    /// The flags of the message.
    package var flags: PTPFlags
    /// The correction to add to the message's time.
    package var correction = PTPCorrection.zero
    /// Data that depends on the message type; 0 in our messages.
    package var typeSpecific: UInt32 = 0
    /// The port that sent the message.
    package var source: PTPPortIdentity
    /// The sequence number, which wraps.
    package var sequence: UInt16
    /// The control field, a legacy message type.
    package var control: UInt8
    /// Log2 of the mean interval in seconds; −128 or 0x7F where there is none.
    package var logInterval: Int8

    /// The size of the header in bytes.
    package static let byteCount = 34
    /// The byte offset of the correction, for patching an encoded message.
    package static let correctionOffset = 8
    /// The byte offset of the sequence number, for patching an encoded message.
    package static let sequenceOffset = 30

    /// Creates a header with the defaults of this profile.
    package init(
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
    /// Reads the header, and limits the reader to the message's own length.
    ///
    /// Ignores bytes after that length, which are padding of the network.
    /// - Throws: ``WireError`` for an unknown type, another major version than 2, or a length beyond the
    ///   available bytes.
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
