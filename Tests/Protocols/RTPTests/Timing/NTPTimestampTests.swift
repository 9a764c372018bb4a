import Testing
import TuttiMediaTime
import TuttiRTP
import TuttiWire

@Suite("NTP times")
struct NTPTimestampTests {
    static let valid: [(String, [UInt8], Int64)] = [
        ("zero", [0, 0, 0, 0, 0, 0, 0, 0], 0),
        ("half a second", [0, 0, 0, 1, 0x80, 0, 0, 0], 1_500_000_000),
        ("a nanosecond", [0, 0, 0, 0, 0, 0, 0, 4], 1),
        ("the last nanosecond of a second", [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFC], 999_999_999),
        ("1 January 2026", [0xED, 0x00, 0x5A, 0x00, 0, 0, 0, 0], 3_976_223_232_000_000_000),
        (
            "the last second of the turn", [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], 4_294_967_295_000_000_000
        ),
    ]

    @Test("both forms convert", arguments: valid)
    func roundTrip(name: String, bytes: [UInt8], nanoseconds: Int64) throws {
        let time = try NTPTimestamp(exactly: bytes)
        #expect(time.networkTime.nanoseconds == nanoseconds)
        #expect(NTPTimestamp(NetworkTime(nanoseconds: nanoseconds)) == time)
        #expect(time.encoded == bytes)
    }

    @Test("every nanosecond has a distinct form")
    func exact() {
        for nanoseconds in stride(from: Int64(0), to: 1_000_000_000, by: 99_991) {
            let time = NetworkTime(nanoseconds: 3_900_000_000_000_000_000 + nanoseconds)
            #expect(NTPTimestamp(time).networkTime == time)
        }
    }

    static let turns: [(String, UInt64, Int64, Int64)] = [
        ("in the same turn", 5 << 32, 7_000_000_000, 5_000_000_000),
        ("over the end of the turn", 1 << 32, 4_294_967_290_000_000_000, 4_294_967_297_000_000_000),
        ("back over it", 0xFFFF_FFFF << 32, 4_294_967_300_000_000_000, 4_294_967_295_000_000_000),
        ("before the epoch", 0xFFFF_FFFF << 32, 0, -1_000_000_000),
        ("no such time can be written", 0, .max, 8_589_934_592_000_000_000),
    ]

    @Test("the era follows from a nearby time", arguments: turns)
    func near(name: String, rawValue: UInt64, reference: Int64, nanoseconds: Int64) {
        let time = NTPTimestamp(rawValue: rawValue).networkTime(near: NetworkTime(nanoseconds: reference))
        #expect(time.nanoseconds == nanoseconds)
    }

    @Test("no reference traps", arguments: [.min, -1, 0, 1, .max, 1 << 62] as [Int64])
    func extremes(reference: Int64) {
        for rawValue in [0, 1, .max, 1 << 63] as [UInt64] {
            _ = NTPTimestamp(rawValue: rawValue).networkTime(near: NetworkTime(nanoseconds: reference))
        }
        _ = NTPTimestamp(NetworkTime(nanoseconds: reference))
    }
}
