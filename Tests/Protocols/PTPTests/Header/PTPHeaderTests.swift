import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiWire

@Suite("The header of PTP messages")
struct PTPHeaderTests {
    static let source = PTPPortIdentity(clock: ClockIdentity(rawValue: .max), port: .max)

    private static func header(
        _ change: (inout PTPHeader) -> Void = { _ in }
    ) -> PTPHeader {
        var header = PTPHeader(
            type: .management, flags: [], source: source, sequence: .max, control: 0xFF, logInterval: -128)
        change(&header)
        return header
    }

    @Test("every field round-trips at its limits")
    func limits() throws {
        let header = Self.header {
            ($0.majorSdoID, $0.version, $0.domain, $0.minorSdoID) = (15, 0xF2, .max, .max)
            ($0.flags, $0.typeSpecific) = (PTPFlags(rawValue: .max), .max)
            $0.correction = PTPCorrection(rawValue: .min)
        }
        let bytes = PTPMessage.management(header).encoded
        #expect(bytes.count == PTPHeader.byteCount)
        #expect(Array(bytes.prefix(8)) == [0xFD, 0xF2, 0, 34, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(Array(bytes[8..<16]) == [0x80, 0, 0, 0, 0, 0, 0, 0])
        #expect(bytes[16...].dropLast() == ArraySlice(repeating: 0xFF, count: 17))
        #expect(bytes.last == 0x80)
        #expect(try PTPMessage(datagram: bytes).header == header)
    }

    @Test("any minor version of version 2 is read", arguments: [UInt8(0x02), 0x12, 0xF2])
    func minorVersion(version: UInt8) throws {
        let bytes = PTPMessage.management(Self.header { $0.version = version }).encoded
        #expect(try PTPMessage(datagram: bytes).header.version == version)
    }

    @Test("another major version is refused", arguments: [UInt8(0), 1, 3, 0x21, 0x20, 0xFF])
    func majorVersion(version: UInt8) {
        let bytes = PTPMessage.management(Self.header { $0.version = version }).encoded
        #expect(throws: WireError.unexpected(field: "versionPTP", value: UInt64(version))) {
            try PTPMessage(datagram: bytes)
        }
    }

    @Test(
        "a reserved type is refused, whatever the upper half of its byte",
        arguments: [UInt8(4), 5, 6, 7, 14, 15])
    func reservedType(type: UInt8) {
        for upper: UInt8 in [0, 1, 15] {
            var bytes = PTPMessage.management(Self.header()).encoded
            bytes[0] = upper << 4 | type
            #expect(throws: WireError.unexpected(field: "messageType", value: UInt64(type))) {
                try PTPMessage(datagram: bytes)
            }
        }
    }

    @Test("four types use the event port, on which arrival times count")
    func eventPort() {
        let events: [PTPMessageType] = [.sync, .delayRequest, .peerDelayRequest, .peerDelayResponse]
        #expect(PTPMessageType.allCases.filter(\.isEvent) == events)
    }

    @Test("a management message is its header, whatever follows")
    func management() throws {
        let header = Self.header()
        var bytes = PTPMessage.management(header).encoded + Array(repeating: 0xAB, count: 200)
        bytes[3] = UInt8(bytes.count)
        #expect(try PTPMessage(datagram: bytes) == .management(header))
    }

    @Test("one odd byte after the last TLV is padding, more must be a TLV")
    func oddBytes() throws {
        let sync = PTPMessage.sync(PTPSync(source: Self.source, sequence: .max))
        func message(adding bytes: [UInt8]) -> [UInt8] {
            var all = sync.encoded + bytes
            all[3] = UInt8(all.count)
            return all
        }
        #expect(try PTPMessage(datagram: message(adding: [9])) == sync)
        #expect(throws: WireError.truncated(field: "tlvLength", needed: 2, available: 0)) {
            try PTPMessage(datagram: message(adding: [0, 0]))
        }
        #expect(throws: WireError.truncated(field: "tlvLength", needed: 2, available: 1)) {
            try PTPMessage(datagram: message(adding: [0, 0, 0]))
        }
        guard case .sync(let read) = try PTPMessage(datagram: message(adding: [0, 0, 0, 0])) else {
            throw WireError.trailingBytes(count: 0)
        }
        #expect(read.tlvs == [.unknown(type: 0, value: [])])
    }

    @Test("a datagram may be a part of a larger buffer")
    func slice() throws {
        let announce = PTPMessage.announce(PTPAnnounce(source: Self.source, sequence: 0))
        let buffer = [1, 2, 3] + announce.encoded + [4, 5]
        #expect(try PTPMessage(datagram: buffer[3...]) == announce)
        #expect(try PTPMessage(datagram: buffer[3..<buffer.count - 2]) == announce)
        #expect(throws: WireError.self) { try PTPMessage(datagram: buffer[3..<buffer.count - 3]) }
    }

    @Test(
        "an Announce keeps signed and unsigned fields at their limits", arguments: [Int16.min, -1, 0, .max])
    func announce(offset: Int16) throws {
        var announce = PTPAnnounce(source: Self.source, sequence: 1)
        announce.utcOffset = offset
        (announce.priority1, announce.priority2, announce.timeSource) = (.max, 0, .max)
        (announce.stepsRemoved, announce.tlvs) = (.max, [])
        announce.quality = PTPClockQuality(clockClass: .max, accuracy: 0, variance: .max)
        announce.originTimestamp = PTPTimestamp(NetworkTime(nanoseconds: .max))
        let message = PTPMessage.announce(announce)
        #expect(message.encoded.count == 64)
        #expect(try PTPMessage(datagram: message.encoded) == message)
    }

    @Test("the offsets for patching an encoded message name its fields")
    func patching() throws {
        let followUp = PTPFollowUp(source: Self.source, sequence: 0, preciseOriginTimestamp: .zero)
        var bytes = PTPMessage.followUp(followUp).encoded
        bytes.replaceSubrange(PTPHeader.sequenceOffset..<PTPHeader.sequenceOffset + 2, with: [0x12, 0x34])
        bytes[PTPHeader.correctionOffset + 5] = 1
        bytes[PTPFollowUp.timestampOffset + 5] = 7
        bytes[PTPFollowUp.timestampOffset + 9] = 9
        guard case .followUp(let read) = try PTPMessage(datagram: bytes) else {
            throw WireError.trailingBytes(count: 0)
        }
        #expect(read.header.sequence == 0x1234)
        #expect(read.header.correction.nanoseconds == 1)
        #expect(try read.preciseOriginTimestamp == PTPTimestamp(seconds: 7, nanoseconds: 9))
    }

    static let corrections: [(raw: Int64, nanoseconds: Int64)] = [
        (0xFFFF, 0), (0x1_FFFF, 1), (-1, -1), (-0x1_0000, -1), (-0x1_0001, -2), (.max, .max >> 16),
        (.min, .min >> 16),
    ]

    @Test("a fraction of a nanosecond in a correction is rounded down", arguments: corrections)
    func correction(raw: Int64, nanoseconds: Int64) {
        #expect(PTPCorrection(rawValue: raw).nanoseconds == nanoseconds)
    }

    @Test("a correction beyond its field is the largest one with its sign")
    func largeCorrection() {
        let limit = Int64.max >> 16
        for nanoseconds in [Int64.min, -limit - 1, -limit] {
            #expect(PTPCorrection(nanoseconds: nanoseconds).nanoseconds == -limit)
        }
        for nanoseconds in [Int64.max, limit + 1, limit] {
            #expect(PTPCorrection(nanoseconds: nanoseconds).nanoseconds == limit)
        }
    }

    @Test("seconds beyond 48 bits, and a whole second of nanoseconds, make no timestamp")
    func timestamp() throws {
        #expect(throws: WireError.outOfRange(field: "seconds", value: 1 << 48)) {
            try PTPTimestamp(seconds: 1 << 48, nanoseconds: 0)
        }
        #expect(throws: WireError.outOfRange(field: "nanoseconds", value: UInt64(UInt32.max))) {
            try PTPTimestamp(seconds: 0, nanoseconds: .max)
        }
        // The last nanosecond that 64 bits hold, and the one after it.
        let last = try PTPTimestamp(seconds: 9_223_372_036, nanoseconds: 854_775_807)
        let beyond = try PTPTimestamp(seconds: 9_223_372_036, nanoseconds: 854_775_808)
        #expect(last.networkTime.nanoseconds == .max && beyond.networkTime.nanoseconds == .max)
        let earlier = try PTPTimestamp(seconds: 9_223_372_036, nanoseconds: 854_775_806)
        #expect(earlier.networkTime.nanoseconds == .max - 1)
    }
}
