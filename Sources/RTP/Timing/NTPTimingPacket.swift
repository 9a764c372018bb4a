public import Wire

/// One packet of the timing exchange by which the receiver of a realtime stream measures the clock of a
/// sender without PTP.
///
/// Layout, big-endian, 32 bytes: `80`; `D2` for the question or `D3` for the answer; `0007`; 4 zero bytes; three
/// times of 8 bytes. The question carries its own departure in the last one; the answer repeats that in
/// the first, then tells when the question came and when the answer left. *Observed*: shairport-sync
/// asks so, pyatv and iTunes answer so.
public struct NTPTimingPacket: WireFormat, Hashable {
    public enum Kind: UInt8, Hashable, Sendable {
        case question = 0xD2
        case answer = 0xD3
    }

    public static let byteCount = 32

    public var kind: Kind
    /// When the question left, by its sender's clock; zero in a question.
    public var reference: NTPTimestamp
    /// When the question came; zero in a question.
    public var received: NTPTimestamp
    /// When this packet left, by its sender's clock.
    public var transmitted: NTPTimestamp

    /// - Parameter departure: Anything that the asker knows its question by again.
    public init(question departure: NTPTimestamp) {
        kind = .question
        (reference, received) = (.zero, .zero)
        transmitted = departure
    }

    public init(answerTo question: NTPTimingPacket, received: NTPTimestamp, transmitted: NTPTimestamp) {
        kind = .answer
        reference = question.transmitted
        self.received = received
        self.transmitted = transmitted
    }

    /// Sequence and the four bytes behind it are not looked at: senders differ.
    public init(parsing input: inout ByteReader) throws(WireError) {
        let first = try input.byte(field: "version")
        guard first & 0xC0 == 0x80 else { throw .unexpected(field: "version", value: UInt64(first)) }
        let type = try input.byte(field: "type")
        guard let kind = Kind(rawValue: type) else { throw .unexpected(field: "type", value: UInt64(type)) }
        self.kind = kind
        try input.skip(6, field: "sequence")
        reference = try NTPTimestamp(parsing: &input)
        received = try NTPTimestamp(parsing: &input)
        transmitted = try NTPTimestamp(parsing: &input)
    }

    public func encode(into output: inout ByteWriter) {
        output.integer(UInt8(0x80))
        output.integer(kind.rawValue)
        output.integer(Self.sequence)
        output.zeros(4)
        reference.encode(into: &output)
        received.encode(into: &output)
        transmitted.encode(into: &output)
    }

    /// The length in words less one, as in RTCP; *observed* to be the same in all.
    private static let sequence: UInt16 = 7
}

extension NTPTimestamp {
    public static let zero = NTPTimestamp(rawValue: 0)
}
