import TuttiMediaTime
import TuttiWire

/// The first 12 bytes of a packet on a buffered stream.
///
/// Layout, big-endian: `80`; 3 bytes of numbers; 4 bytes RTP time; 4 bytes SSRC. The numbers and the SSRC
/// have two forms, see ``Numbering``. *Observed*: both forms on real receivers.
package struct BufferedPacketHeader: WireFormat, Hashable {
    /// Bytes of a header.
    package static let byteCount = 12

    /// The header style of a stream.
    package enum Style: Hashable, Sendable {
        /// 23-bit sequence number and format code, as written by Apple senders.
        case formatCode23
        /// RTP as in RFC 3550 with payload type 103, as accepted by Sonos, WiiM and Edifier.
        case classicRTP16
    }

    /// The fields that depend on the style.
    package enum Numbering: Hashable, Sendable {
        /// Bit 23 set, then the sequence number; the SSRC names the audio format.
        case formatCode23(SequenceNumber, formatCode: UInt32)
        /// Payload type 103, with the marker in the first packet; 16-bit sequence number; SSRC 0.
        case classicRTP16(UInt16, isFirst: Bool)
    }

    /// The sequence number and the content of the SSRC field.
    package var numbering: Numbering
    /// RTP time of the first frame in the packet.
    package var rtpTime: RTPTime

    /// Creates a header from its parts.
    package init(numbering: Numbering, rtpTime: RTPTime) {
        self.numbering = numbering
        self.rtpTime = rtpTime
    }

    /// Reads either style: SSRC 0 with payload type 103 is the classic one, as no format code is 0. Does not
    /// require the marker bit of the other style.
    package init(parsing input: inout ByteReader) throws(WireError) {
        let version = try input.byte(field: "version")
        guard version == Self.version else { throw .unexpected(field: "version", value: UInt64(version)) }
        let numbers = try input.integer(UInt32.self, byteCount: 3, field: "sequence number")
        rtpTime = RTPTime(rawValue: try input.integer(UInt32.self, field: "RTP time"))
        let source = try input.integer(UInt32.self, field: "SSRC")
        if source == 0 && numbers >> 16 & 0x7F == Self.payloadType {
            numbering = .classicRTP16(UInt16(truncatingIfNeeded: numbers), isFirst: numbers >> 23 == 1)
        } else {
            numbering = .formatCode23(SequenceNumber(truncating: numbers), formatCode: source)
        }
    }

    package func encode(into output: inout ByteWriter) {
        let words = words
        output.integer(words.numbers)
        output.integer(words.rtpTime)
        output.integer(words.source)
    }

    /// The three 32-bit words of the header.
    var words: (numbers: UInt32, rtpTime: UInt32, source: UInt32) {
        switch numbering {
        case .formatCode23(let number, let formatCode):
            (UInt32(Self.version) << 24 | number.withMarker, rtpTime.rawValue, formatCode)
        case .classicRTP16(let number, let isFirst):
            (
                UInt32(Self.version) << 24 | (isFirst ? 1 << 23 : 0) | Self.payloadType << 16
                    | UInt32(number),
                rtpTime.rawValue, 0
            )
        }
    }

    /// Version 2, no padding, no extension, no contributing sources.
    private static let version: UInt8 = 0x80
    private static let payloadType: UInt32 = 103
}
