import HomeKitPairing
import Testing
import TuttiTestSupport
import TuttiWire

@Suite("TLV8")
struct TLV8Tests {
    typealias Item = TLV8.Item

    static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    static let valid: [(String, [UInt8], [Item])] = [
        ("nothing", [], []),
        ("one item", [6, 1, 3], [Item(.state, [3])]),
        ("an empty value", [6, 0], [Item(.state, [])]),
        ("a type nobody knows", [0x77, 2, 1, 2], [Item(TLV8Tag(rawValue: 0x77), [1, 2])]),
        (
            "two lists", [1, 1, 65, 0xFF, 0, 1, 1, 66],
            [Item(.identifier, [65]), Item(.separator, []), Item(.identifier, [66])]
        ),
        (
            "one type twice, the first not full", [1, 1, 65, 1, 1, 66],
            [Item(.identifier, [65]), Item(.identifier, [66])]
        ),
        ("254 bytes", [3, 254] + bytes(254), [Item(.publicKey, bytes(254))]),
        ("255 bytes", [3, 255] + bytes(255), [Item(.publicKey, bytes(255))]),
        (
            "256 bytes", [3, 255] + bytes(255) + [3, 1, bytes(256)[255]], [Item(.publicKey, bytes(256))]
        ),
        (
            "510 bytes, then another type",
            [3, 255] + bytes(510)[..<255] + [3, 255] + bytes(510)[255...] + [6, 1, 2],
            [Item(.publicKey, bytes(510)), Item(.state, [2])]
        ),
        (
            "255 bytes, then another value of the type",
            [3, 255] + bytes(255) + [3, 0, 3, 1, 9],
            [Item(.publicKey, bytes(255)), Item(.publicKey, [9])]
        ),
    ]

    @Test("values round-trip", arguments: valid)
    func roundTrip(name: String, bytes: [UInt8], items: [Item]) throws {
        #expect(try TLV8(exactly: bytes).items == items)
        #expect(TLV8(items).encoded == bytes)
    }

    @Test("a full last fragment may be followed by an empty one")
    func emptyLastFragment() throws {
        let items = try TLV8(exactly: [3, 255] + Self.bytes(255) + [3, 0, 6, 1, 2]).items
        #expect(items == [Item(.publicKey, Self.bytes(255)), Item(.state, [2])])
    }

    static let invalid: [(String, [UInt8], WireError)] = [
        ("no length", [6], .truncated(field: "TLV length", needed: 1, available: 0)),
        ("no value", [6, 1], .truncated(field: "TLV value", needed: 1, available: 0)),
        ("a short value", [6, 5, 1, 2], .truncated(field: "TLV value", needed: 5, available: 2)),
        (
            "a short second fragment", [3, 255] + bytes(255) + [3, 2, 1],
            .truncated(field: "TLV value", needed: 2, available: 1)
        ),
        (
            "a second fragment without length", [3, 255] + bytes(255) + [3],
            .truncated(field: "TLV length", needed: 1, available: 0)
        ),
        (
            "an item too many", [UInt8](repeating: 0, count: 2 * 65),
            .outOfRange(field: "TLV item count", value: 65)
        ),
        (
            "a byte too many", [UInt8](repeating: 0, count: 16_385),
            .outOfRange(field: "TLV byte count", value: 16_385)
        ),
    ]

    @Test("malformed lists are rejected", arguments: invalid)
    func rejects(name: String, bytes: [UInt8], error: WireError) {
        #expect(throws: error) { try TLV8(exactly: bytes) }
    }

    @Test("items and bytes are accepted up to the limits")
    func limits() throws {
        #expect(try TLV8(exactly: [UInt8](repeating: 0, count: 2 * 64)).items.count == 64)
        // 63 fragments of 257 bytes, and one of 193, fill the limit exactly.
        let value = Self.bytes(63 * 255 + 191)
        let encoded = TLV8([Item(.certificate, value)]).encoded
        #expect(encoded.count == TLV8.maximumByteCount)
        #expect(try TLV8(exactly: encoded)[.certificate] == value)
    }

    @Test("the first of two values of a type counts; a missing one is nil")
    func lookup() {
        let list = TLV8([Item(.state, [1]), Item(.state, [2])])
        #expect(list[.state] == [1])
        #expect(list[.proof] == nil)
    }

    static let integers: [([UInt8], UInt64?)] = [
        ([0x10], 0x10), ([0x10, 0], 0x10), ([0x10, 0, 0, 0], 0x10), ([1, 2, 3, 4], 0x0403_0201),
        ([UInt8](repeating: 0xFF, count: 8), .max),
    ]

    @Test("integers are little-endian", arguments: integers)
    func integer(bytes: [UInt8], value: UInt64?) throws {
        #expect(try TLV8([Item(.flags, bytes)]).integer(.flags) == value)
        #expect(try TLV8([Item(.state, bytes)]).integer(.flags) == nil)
    }

    @Test("integers of another length are refused", arguments: [0, 9, 300])
    func badInteger(count: Int) {
        let list = TLV8([Item(.flags, [UInt8](repeating: 0, count: count))])
        #expect(throws: WireError.outOfRange(field: "TLV type 0x13 byte count", value: UInt64(count))) {
            try list.integer(.flags)
        }
    }

    @Test("the recorded lists round-trip")
    func recorded() throws {
        let samples = try #require(try Vectors.json("airplay/tlv8.json") as? [[String: Any]])
        #expect(samples.count == 3)
        for sample in samples {
            let encoded = Vectors.bytes(hex: try #require(sample["hex"] as? String))
            let items = try #require(sample["items"] as? [[Any]]).map { pair in
                Item(
                    TLV8Tag(rawValue: UInt8(try #require(pair.first as? Int))),
                    Vectors.bytes(hex: try #require(pair.last as? String)))
            }
            #expect(try TLV8(exactly: encoded).items == items)
            #expect(TLV8(items).encoded == encoded)
        }
    }

    @Test("parsed random bytes round-trip", arguments: 0..<2_000)
    func random(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ -> UInt8 in
            let value = UInt8.random(in: 0...255, using: &random)
            return Bool.random(using: &random) ? value & 3 : value
        }
        guard let list = try? TLV8(exactly: bytes) else { return }
        #expect(try TLV8(exactly: list.encoded) == list)
    }
}
