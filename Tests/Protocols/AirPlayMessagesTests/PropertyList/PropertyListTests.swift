import AirPlayMessages
import Testing
import TuttiTestSupport

@Suite("Binary property lists")
struct PropertyListTests {
    @Test("all recorded bodies are present")
    func present() { #expect(RecordedBodies.all.count == 15) }

    @Test("recorded bodies read as they were decoded", arguments: RecordedBodies.all)
    func reads(body: RecordedBodies.Body) throws {
        #expect(RecordedBodies.text(try PropertyList(parsing: body.bytes)) == body.json)
    }

    @Test("recorded requests are written byte for byte", arguments: RecordedBodies.all.filter(\.isRequest))
    func writes(body: RecordedBodies.Body) throws {
        #expect(try PropertyList(parsing: body.bytes).encoded == body.bytes)
    }

    @Test("a written list reads back the same", arguments: RecordedBodies.all)
    func roundTrip(body: RecordedBodies.Body) throws {
        let list = try PropertyList(parsing: body.bytes)
        #expect(try PropertyList(parsing: list.encoded) == list)
    }

    static let values: [PropertyList] = [
        0, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, .integer(.max), .integer(.min), -1, true,
        false,
        1.5, .real(-.infinity), .date(0.25), .data([]), .data(Array(repeating: 7, count: 300)), "", "ascii",
        "Tïtle ☃ 🎵", .string(String(repeating: "x", count: 70_000)), .null, .uid(0), .uid(70_000), [], [:],
        .array((0..<300).map { .integer($0) }),
        .dictionary(Dictionary(uniqueKeysWithValues: (0..<20).map { ("k\($0)", 1) })),
        ["a": ["b": ["c": [1, 1.0, true, "1"]]]],
    ]

    @Test("every kind of value works at its limits", arguments: values)
    func kinds(value: PropertyList) throws {
        #expect(try PropertyList(parsing: value.encoded) == value)
    }

    /// A list of one object.
    static func single(_ object: [UInt8]) -> [UInt8] {
        Array("bplist00".utf8) + object + [8] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
            + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, UInt8(8 + object.count)]
    }

    static let integers: [(String, [UInt8], UInt64)] = [
        ("8 bytes, negative", [0x13, 0xF2, 0, 0xAA, 0xFF, 0xFE, 0, 0, 0xFF], 0xF200_AAFF_FE00_00FF),
        (
            "16 bytes, unsigned", [0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0xF2, 0, 0xAA, 0xFF, 0xFE, 0, 0, 0xFF],
            0xF200_AAFF_FE00_00FF
        ),
        ("16 bytes, negative", [0x14] + Array(repeating: 0xFF, count: 16), .max),
        ("1 byte is unsigned", [0x10, 0xFF], 255),
        ("4 bytes are unsigned", [0x12, 0xFF, 0xFF, 0xFF, 0xFF], 4_294_967_295),
    ]

    @Test("both forms of large integers are read", arguments: integers)
    func readsIntegers(name: String, object: [UInt8], bits: UInt64) throws {
        let list = try PropertyList(parsing: Self.single(object))
        #expect(list.unsignedValue == bits)
    }

    @Test("large integers are written as 8 bytes in two's complement")
    func writesIntegers() {
        #expect(
            PropertyList.unsigned(0xF200_AAFF_FE00_00FF).encoded
                == Self.single([0x13, 0xF2, 0, 0xAA, 0xFF, 0xFE, 0, 0, 0xFF]))
    }

    @Test("an integral real reads as an integer, others do not")
    func accessors() {
        #expect(PropertyList.real(1).integerValue == 1)
        #expect(PropertyList.real(1.5).integerValue == nil)
        #expect(PropertyList.real(.nan).integerValue == nil)
        #expect(PropertyList.real(1e300).integerValue == nil)
        #expect(PropertyList.integer(3).realValue == 3)
        #expect(PropertyList.string("1").integerValue == nil)
        #expect(PropertyList.integer(0).booleanValue == false)
        #expect(PropertyList.array([])["x"] == nil)
    }
}
