import Testing
import TuttiMediaTime
import TuttiRTP
import TuttiWire

@Suite("Headers of buffered packets")
struct BufferedPacketHeaderTests {
    typealias Numbering = BufferedPacketHeader.Numbering

    static let valid: [(String, [UInt8], Numbering, UInt32)] = [
        (
            "recorded", [0x80, 0x80, 0x09, 0xC3, 0xC0, 0x0D, 0x6C, 0x20, 0, 0, 0xFA, 0xCE],
            .formatCode23(SequenceNumber(truncating: 2499), formatCode: 0xFACE), 3_222_105_120
        ),
        (
            "last number", [0x80, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x16, 0, 0, 0],
            .formatCode23(SequenceNumber(truncating: 0x7F_FFFF), formatCode: 0x1600_0000), .max
        ),
        (
            "a number that looks like payload type 103", [0x80, 0xE7, 0, 1, 0, 0, 0, 0, 0x15, 0, 0, 0],
            .formatCode23(SequenceNumber(truncating: 0x67_0001), formatCode: 0x1500_0000), 0
        ),
        (
            "classic, first", [0x80, 0xE7, 0xFF, 0xFE, 0, 0, 0, 1, 0, 0, 0, 0],
            .classicRTP16(0xFFFE, isFirst: true), 1
        ),
        ("classic, later", [0x80, 0x67, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], .classicRTP16(0, isFirst: false), 1),
    ]

    @Test("headers round-trip", arguments: valid)
    func roundTrip(name: String, bytes: [UInt8], numbering: Numbering, rtpTime: UInt32) throws {
        let header = BufferedPacketHeader(numbering: numbering, rtpTime: RTPTime(rawValue: rtpTime))
        #expect(try BufferedPacketHeader(exactly: bytes) == header)
        #expect(header.encoded == bytes)
    }

    @Test("recorded headers are read", arguments: RecordedPackets.all)
    func recorded(packet: RecordedPackets.Packet) throws {
        let header = try BufferedPacketHeader(exactly: packet.header)
        #expect(header.rtpTime.rawValue == packet.rtpTime)
        #expect(
            header.numbering
                == .formatCode23(SequenceNumber(truncating: packet.sequence), formatCode: 0xFACE))
        #expect(header.encoded == packet.header)
    }

    @Test("the marker bit is optional")
    func noMarker() throws {
        let header = try BufferedPacketHeader(exactly: [0x80, 0, 0, 5, 0, 0, 0, 0, 0x16, 0, 0, 0])
        #expect(header.numbering == .formatCode23(SequenceNumber(truncating: 5), formatCode: 0x1600_0000))
    }

    @Test("every truncation is refused", arguments: 0..<12)
    func truncated(count: Int) {
        #expect(throws: WireError.self) {
            try BufferedPacketHeader(exactly: Array(Self.valid[0].1[..<count]))
        }
    }

    @Test("other versions and forms are refused", arguments: [0, 0x40, 0x81, 0x90, 0xA0, 0xFF] as [UInt8])
    func version(first: UInt8) {
        var bytes = Self.valid[0].1
        bytes[0] = first
        #expect(throws: WireError.unexpected(field: "version", value: UInt64(first))) {
            try BufferedPacketHeader(exactly: bytes)
        }
    }
}
