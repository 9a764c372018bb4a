import Testing
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiWire

@Suite("Packets of a realtime stream")
struct RealtimePacketTests {
    private static let key = [UInt8](repeating: 5, count: 32)

    private static func sealed(_ packet: RealtimePacket) throws -> [UInt8] {
        var sealer = try RealtimePacketSealer(key: SymmetricKey(key))
        return try sealer.seal(packet, source: 0x0102_0304)
    }

    private static let sample = RealtimePacket(
        sequenceNumber: 0xFFFE, rtpTime: RTPTime(rawValue: 0xFFFF_FF00), isFirst: true,
        payload: Array(0..<200))

    @Test("sealed packets open")
    func bothWays() throws {
        let bytes = try Self.sealed(Self.sample)
        #expect(bytes.prefix(12) == [0x80, 0xE0, 0xFF, 0xFE, 0xFF, 0xFF, 0xFF, 0, 1, 2, 3, 4])
        #expect(bytes.count == 200 + RealtimePacket.overhead)
        var opener = try RealtimePacketOpener(key: SymmetricKey(Self.key))
        #expect(try opener.open(bytes[...]) == Self.sample)
    }

    @Test("plain packets of AirPlay 1 are read, and a sealed one is not opened as such by its header alone")
    func plain() throws {
        let bytes = Self.sample.plain(source: 0x0102_0304)
        #expect(bytes.prefix(12) == [0x80, 0xE0, 0xFF, 0xFE, 0xFF, 0xFF, 0xFF, 0, 1, 2, 3, 4])
        #expect(try RealtimePacket(plain: bytes[...]) == Self.sample)
        #expect(try RealtimePacket(plain: ([7] + bytes).dropFirst()) == Self.sample)
        for count in 0...RealtimePacket.headerByteCount {
            #expect(throws: RTPError.self) { try RealtimePacket(plain: bytes.prefix(count)) }
        }
        #expect(try RealtimePacket(plain: bytes.prefix(13)).payload == [0])
        for (index, value) in [(0, UInt8(0x90)), (0, 0), (1, 0x61), (1, 0xD4)] {
            var changed = bytes
            changed[index] = value
            #expect(throws: RTPError.self) { try RealtimePacket(plain: changed[...]) }
        }
    }

    @Test("every truncation and every changed byte is refused")
    func hostile() throws {
        let bytes = try Self.sealed(Self.sample)
        var opener = try RealtimePacketOpener(key: SymmetricKey(Self.key))
        for count in 0..<bytes.count {
            #expect(throws: RTPError.self) { try opener.open(bytes.prefix(count)) }
        }
        for index in bytes.indices where index != 2 && index != 3 {
            var changed = bytes
            changed[index] ^= 0x15
            #expect(throws: RTPError.self) { try opener.open(changed[...]) }
        }
    }
}

@Suite("Control packets of a realtime stream")
struct RealtimeControlPacketTests {
    static let table: [(RealtimeControlPacket, [UInt8])] = [
        (
            .timeAnnounce(
                .init(
                    isFirst: true, frame: RTPTime(rawValue: 1), networkTime: NetworkTime(nanoseconds: 2),
                    nextFrame: RTPTime(rawValue: 3), clock: ClockIdentity(rawValue: 4))),
            [0x90, 0xD7, 0, 6, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4]
        ),
        (
            .sync(
                .init(
                    isFirst: false, frame: RTPTime(rawValue: 1), ntpTime: 0x8000_0001_8000_0000,
                    nextFrame: RTPTime(rawValue: 3))),
            [0x80, 0xD4, 0, 7, 0, 0, 0, 1, 0x80, 0, 0, 1, 0x80, 0, 0, 0, 0, 0, 0, 3]
        ),
        (.resendRequest(.init(first: 0xFFFF, count: 2)), [0x80, 0xD5, 0, 1, 0xFF, 0xFF, 0, 2]),
        (.resent([UInt8](repeating: 7, count: 40)), [0x80, 0xD6, 0, 1] + [UInt8](repeating: 7, count: 40)),
    ]

    @Test("control packets round-trip", arguments: table.indices)
    func bothWays(index: Int) throws {
        let (packet, bytes) = Self.table[index]
        #expect(packet.encoded == bytes)
        #expect(try RealtimeControlPacket(parsing: bytes[...]) == packet)
        var unmarked = bytes
        unmarked[1] &= 0x7F
        #expect(try RealtimeControlPacket(parsing: unmarked[...]) == packet)
    }

    @Test("truncations are refused, except for answers about lost packets")
    func truncated() throws {
        for (packet, bytes) in Self.table {
            for count in 0..<bytes.count {
                let read = try? RealtimeControlPacket(parsing: bytes.prefix(count))
                if case .resent = packet, count >= 4 {
                    // A plain packet of AirPlay 1 has a header and any number of bytes.
                    let isWhole = count > 4 + RealtimePacket.headerByteCount
                    #expect(read == .resent(isWhole ? Array(bytes[4..<count]) : []))
                } else {
                    #expect(read == nil)
                }
            }
        }
    }

    @Test("NTP fractions convert to nanoseconds")
    func ntpTime() {
        let sync = RealtimeControlPacket.NTPSync(
            isFirst: false, frame: RTPTime(rawValue: 0), ntpTime: 0x0000_0002_8000_0000,
            nextFrame: RTPTime(rawValue: 0))
        #expect(sync.networkTime == NetworkTime(nanoseconds: 2_500_000_000))
        let last = RealtimeControlPacket.NTPSync(
            isFirst: false, frame: RTPTime(rawValue: 0), ntpTime: .max, nextFrame: RTPTime(rawValue: 0))
        #expect(last.networkTime == NetworkTime(nanoseconds: 4_294_967_295_999_999_999))
    }

    @Test("unknown types and invalid times are refused")
    func odd() {
        let time: [UInt8] = [
            0x80, 0xD7, 0, 6, 0, 0, 0, 1, 0xFF, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4,
        ]
        #expect(throws: WireError.self) { try RealtimeControlPacket(parsing: time[...]) }
        #expect(throws: WireError.self) { try RealtimeControlPacket(parsing: [0x80, 0xD1, 0, 0][...]) }
        #expect(throws: WireError.self) {
            try RealtimeControlPacket(parsing: [0x00, 0xD5, 0, 1, 0, 0, 0, 0][...])
        }
    }
}
