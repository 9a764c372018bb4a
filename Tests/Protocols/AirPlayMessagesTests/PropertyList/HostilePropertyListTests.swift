import AirPlayMessages
import Testing
import TuttiTestSupport

@Suite("Hostile property lists")
struct HostilePropertyListTests {
    /// A list of objects with one byte for references and two for offsets.
    static func list(_ objects: [[UInt8]], top: UInt8 = 0, count: UInt64? = nil) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
        bytes += bigEndian(count ?? UInt64(objects.count)) + bigEndian(UInt64(top)) + bigEndian(UInt64(table))
        return bytes
    }

    static func bigEndian(_ value: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) }
    }

    /// Each array holds the next one twice: 2³⁰ values in 200 bytes.
    static let doubling = (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] as [UInt8] } + [[0x09]]
    /// An array that contains itself 65,536 times: at each of 32 levels a list of references that no
    /// reader can finish.
    static let widening: [UInt8] = [0xAF, 0x12, 0, 1, 0, 0] + Array(repeating: 0, count: 65_536)
    /// An array that refers to a string of 16,000 bytes 200 times, four times over.
    static let expanding: [[UInt8]] = [
        [0xA4, 1, 1, 1, 1], [0xAF, 0x10, 200] + Array(repeating: 2, count: 200),
        [0x5F, 0x11, 0x3E, 0x80] + Array(repeating: 0x41, count: 16_000),
    ]

    static let cases: [(String, [UInt8], PropertyListError)] = [
        ("nothing", [], .noSignature),
        ("xml", Array("<?xml version=\"1.0\"?><plist/>                    ".utf8), .noSignature),
        ("no trailer", Array("bplist00".utf8) + [0x09], .malformed(field: "trailer")),
        ("an array in itself", list([[0xA1, 0]]), .tooDeep(limit: 32)),
        ("a dictionary in itself", list([[0xD1, 1, 0], [0x51, 0x61]]), .tooDeep(limit: 32)),
        ("a ring of two", list([[0xA1, 1], [0xA1, 0]]), .tooDeep(limit: 32)),
        ("a dictionary as its own key", list([[0xD1, 0, 0]]), .tooDeep(limit: 32)),
        ("doubling", list(doubling), .tooManyValues(limit: 65_536)),
        ("more references than values", list([widening]), .tooManyValues(limit: 65_536)),
        ("expanding", list(expanding), .expandsTooFar(limit: 8 << 20)),
        ("a reference too far", list([[0xA1, 9]]), .danglingReference(9)),
        ("top object too far", list([[0x09]], top: 4), .danglingReference(4)),
        ("more objects than bytes", list([[0x09]], count: .max), .malformed(field: "object count")),
        ("no objects", list([[0x09]], count: 0), .malformed(field: "object count")),
        ("huge data", list([[0x4F, 0x13] + bigEndian(.max)]), .malformed(field: "count")),
        ("huge array", list([[0xAF, 0x13] + bigEndian(1 << 62)]), .malformed(field: "count")),
        ("huge dictionary", list([[0xDF, 0x13] + bigEndian(1 << 63)]), .malformed(field: "count")),
        ("huge string", list([[0x6F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF]]), .malformed(field: "count")),
        (
            "count of 16 bytes", list([[0x4F, 0x14] + bigEndian(0) + bigEndian(1)]),
            .malformed(field: "count")
        ),
        ("array without references", list([[0xA3, 0, 0]]), .malformed(field: "references")),
        ("odd utf-16", list([[0x62, 0, 0x41, 0]]), .malformed(field: "string")),
        ("short integer", list([[0x13, 1]]), .malformed(field: "integer")),
        ("integer of 17 bytes' worth", list([[0x14] + bigEndian(1) + bigEndian(0)]), .integerTooLarge),
        (
            "integer of 32 bytes", list([[0x15] + Array(repeating: 0, count: 32)]),
            .unknownObject(marker: 0x15)
        ),
        ("real of 2 bytes", list([[0x21, 0, 0]]), .unknownObject(marker: 0x21)),
        ("unknown simple", list([[0x0E]]), .unknownObject(marker: 0x0E)),
        ("unknown kind", list([[0xF0]]), .unknownObject(marker: 0xF0)),
        ("number as key", list([[0xD1, 1, 1], [0x10, 1]]), .keyIsNoString),
    ]

    @Test("a hostile list is refused with its reason", arguments: cases)
    func refuses(name: String, bytes: [UInt8], error: PropertyListError) {
        #expect(throws: error) { try PropertyList(parsing: bytes) }
    }

    @Test("nesting up to the limit is read, one more level is refused")
    func depth() throws {
        func nested(_ depth: Int) -> PropertyList { depth == 0 ? 1 : [nested(depth - 1)] }
        #expect(try PropertyList(parsing: nested(32).encoded) == nested(32))
        #expect(throws: PropertyListError.tooDeep(limit: 32)) {
            try PropertyList(parsing: nested(33).encoded)
        }
    }

    @Test("the length has a limit")
    func length() {
        let limits = PropertyListLimits(byteCount: 100)
        #expect(throws: PropertyListError.tooLong(limit: 100)) {
            try PropertyList(
                parsing: PropertyList.data(Array(repeating: 0, count: 80)).encoded, limits: limits)
        }
    }

    @Test("every truncation of every recorded body is refused", arguments: RecordedBodies.all)
    func truncations(body: RecordedBodies.Body) {
        for count in 0..<body.bytes.count {
            #expect(throws: PropertyListError.self) { try PropertyList(parsing: Array(body.bytes[..<count])) }
        }
    }

    @Test("random mutations never trap", arguments: RecordedBodies.all)
    func noise(body: RecordedBodies.Body) {
        var random = SeededGenerator(seed: UInt64(body.bytes.count))
        var readCount = 0
        for _ in 0..<2000 {
            var bytes = body.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Half of the mutations hit the table and the trailer.
                let first = Bool.random(using: &random) ? 0 : max(0, bytes.count - 60)
                bytes[Int.random(in: first..<bytes.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            guard let list = try? PropertyList(parsing: bytes) else { continue }
            readCount += 1
            #expect(throws: Never.self) { try PropertyList(parsing: list.encoded) }
        }
        #expect(readCount > 0)
    }
}
