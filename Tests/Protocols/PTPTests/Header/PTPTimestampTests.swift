import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiWire

@Suite("PTP timestamp on the wire")
struct PTPTimestampTests {
    static let valid: [(String, [UInt8], UInt64, UInt32)] = [
        ("zero", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0, 0),
        ("half second", [0, 0, 0x65, 0x53, 0xF1, 0, 0x1D, 0xCD, 0x65, 0], 1_700_000_000, 500_000_000),
        (
            "48 bits of seconds", [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3B, 0x9A, 0xC9, 0xFF],
            0xFFFF_FFFF_FFFF, 999_999_999
        ),
    ]

    @Test("timestamps round-trip", arguments: valid)
    func roundTrip(name: String, bytes: [UInt8], seconds: UInt64, nanoseconds: UInt32) throws {
        let timestamp = try PTPTimestamp(seconds: seconds, nanoseconds: nanoseconds)
        #expect(try PTPTimestamp(exactly: bytes) == timestamp)
        #expect(timestamp.encoded == bytes)
    }

    static let invalid: [(String, [UInt8], WireError)] = [
        (
            "nine bytes", [UInt8](repeating: 0, count: 9),
            .truncated(field: "nanoseconds", needed: 4, available: 3)
        ),
        (
            "a second in ns", [0, 0, 0, 0, 0, 0, 0x3B, 0x9A, 0xCA, 0],
            .outOfRange(field: "nanoseconds", value: 1_000_000_000)
        ),
        ("one too many", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], .trailingBytes(count: 1)),
    ]

    @Test("invalid timestamps are rejected", arguments: invalid)
    func rejects(name: String, bytes: [UInt8], error: WireError) {
        #expect(throws: error) { try PTPTimestamp(exactly: bytes) }
    }

    @Test(
        "network time round-trips",
        arguments: [0, 1, 999_999_999, 1_000_000_000, 1_003_271_802_099_809, .max])
    func networkTime(nanoseconds: Int64) {
        let time = NetworkTime(nanoseconds: nanoseconds)
        #expect(PTPTimestamp(time).networkTime == time)
    }

    @Test("times outside the range are clamped")
    func ends() throws {
        #expect(PTPTimestamp(NetworkTime(nanoseconds: -1)) == .zero)
        let latest = try PTPTimestamp(seconds: 0xFFFF_FFFF_FFFF, nanoseconds: 0)
        #expect(latest.networkTime == NetworkTime(nanoseconds: .max))
    }

    @Test(
        "corrections apply",
        arguments: [(0, 0), (1, 0x1_0000), (-1, -0x1_0000), (20_000_000, 20_000_000 << 16)])
    func correction(nanoseconds: Int64, raw: Int64) {
        #expect(PTPCorrection(nanoseconds: nanoseconds).rawValue == raw)
        #expect(PTPCorrection(rawValue: raw).nanoseconds == nanoseconds)
        #expect(PTPCorrection(nanoseconds: .max).nanoseconds == .max >> 16)
    }
}
