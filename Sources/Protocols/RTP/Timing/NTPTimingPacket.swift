import TuttiWire

/// A packet of the timing exchange by which a realtime receiver measures the clock of a sender without PTP.
///
/// Layout, big-endian, 32 bytes: `80`; `D2` for the request or `D3` for the answer; `0007`; 4 zero bytes;
/// three times of 8 bytes. The request carries its own departure in the last. The answer repeats that in the
/// first, then gives the arrival of the request and its own departure. *Observed*: shairport-sync sends such
/// requests, pyatv and iTunes such answers.
package struct NTPTimingPacket: WireFormat, Hashable {
    /// The two packet types.
    package enum Kind: UInt8, Hashable, Sendable {
        /// A request for the time.
        case question = 0xD2
        /// The answer to a request.
        case answer = 0xD3
    }

    /// Bytes of a packet.
    package static let byteCount = 32

    /// Request or answer.
    package var kind: Kind
    /// The request's departure on the requester's clock; zero in a request.
    package var reference: NTPTimestamp
    /// The request's arrival on the answering side's clock; zero in a request.
    package var received: NTPTimestamp
    /// This packet's departure on its sender's clock.
    package var transmitted: NTPTimestamp

    /// - Parameter departure: Any value by which the requester recognizes the answer.
    package init(question departure: NTPTimestamp) {
        kind = .question
        (reference, received) = (.zero, .zero)
        transmitted = departure
    }

    /// Creates the answer to a request from its arrival and the answer's departure.
    package init(answerTo question: NTPTimingPacket, received: NTPTimestamp, transmitted: NTPTimestamp) {
        kind = .answer
        reference = question.transmitted
        self.received = received
        self.transmitted = transmitted
    }

    /// Reads a packet. Ignores the sequence number and the four bytes after it, because senders differ.
    package init(parsing input: inout ByteReader) throws(WireError) {
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

    package func encode(into output: inout ByteWriter) {
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
    /// The value that stands for no time.
    package static let zero = NTPTimestamp(rawValue: 0)
}
