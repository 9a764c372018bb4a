import AirPlayMessages
import Testing

@Suite("Sizes of property lists")
struct PropertyListSizesTests {
    /// Sizes around those at which a marker, a count or a reference takes another form.
    static let sizes = [0, 1, 14, 15, 16, 253, 254, 255, 256, 257, 65_535, 65_536]

    @Test("texts and data of every size round-trip", arguments: sizes)
    func leaves(size: Int) throws {
        let values: [PropertyList] = [
            .string(String(repeating: "a", count: size)), .string(String(repeating: "ü", count: size)),
            .data([UInt8](repeating: 0xFE, count: size)),
        ]
        for value in values { #expect(try PropertyList(parsing: value.encoded) == value) }
    }

    @Test("containers of every size round-trip", arguments: sizes.prefix(10))
    func containers(size: Int) throws {
        let array = PropertyList.array((0..<size).map { .integer(Int64($0)) })
        #expect(try PropertyList(parsing: array.encoded) == array)
        let pairs = (0..<size).map { ("key \($0)", PropertyList.real(Double($0))) }
        let dictionary = PropertyList.dictionary(Dictionary(uniqueKeysWithValues: pairs))
        #expect(try PropertyList(parsing: dictionary.encoded) == dictionary)
    }

    @Test("a UID of every width round-trips", arguments: [0, 255, 256, 65_536, 1 << 32, .max] as [UInt64])
    func uid(value: UInt64) throws {
        #expect(try PropertyList(parsing: PropertyList.uid(value).encoded) == .uid(value))
    }

    @Test("a text that occurs many times is written once")
    func sharing() throws {
        let text = PropertyList.string(String(repeating: "x", count: 1000))
        let list: PropertyList = ["a": text, "b": [text, text], "c": ["d": text]]
        #expect(list.encoded.count < 1200)
        #expect(try PropertyList(parsing: list.encoded) == list)
    }

    @Test("values of different types stay different, though they are equal as numbers")
    func types() throws {
        let list: PropertyList = [1, 1.0, true, "1", .uid(1), .date(1), .data([1]), 0, 0.0, false, .null]
        #expect(try PropertyList(parsing: list.encoded) == list)
    }

    @Test("equal dictionaries give equal bytes, whatever the order of their making")
    func stable() {
        let keys = (0..<50).map { "k\($0)" } + ["é", "z", "Z", "", " "]
        var (first, second): ([String: PropertyList], [String: PropertyList]) = ([:], [:])
        for key in keys { first[key] = .string(key) }
        for key in keys.reversed() { second[key] = .string(key) }
        #expect(PropertyList.dictionary(first).encoded == PropertyList.dictionary(second).encoded)
    }

    /// A list of one object.
    private static func single(_ object: [UInt8]) -> [UInt8] {
        let places: [UInt8] = [8, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        return Array("bplist00".utf8) + object + places + [0, 0, 0, 0, 0, 0, 0, UInt8(8 + object.count)]
    }

    @Test("a text with bytes or surrogates that are none is repaired")
    func repaired() throws {
        #expect(try PropertyList(parsing: Self.single([0x53, 0x61, 0xFF, 0x62])) == "a\u{FFFD}b")
        #expect(try PropertyList(parsing: Self.single([0x62, 0xD8, 0, 0, 0x61])) == "\u{FFFD}a")
        #expect(try PropertyList(parsing: Self.single([0x62, 0xD8, 0x3C, 0xDF, 0xB5])) == "\u{1F3B5}")
    }

    @Test("a short real and a set are read")
    func rareForms() throws {
        #expect(try PropertyList(parsing: Self.single([0x22, 0x3F, 0xC0, 0, 0])) == 1.5)
        #expect(try PropertyList(parsing: Self.single([0xC0])) == [])
        #expect(try PropertyList(parsing: Self.single([0x33, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0])) == .date(1))
    }
}
