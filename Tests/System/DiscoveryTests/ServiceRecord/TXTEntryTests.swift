import Testing
import TuttiTestSupport

@testable import TuttiDiscovery

@Suite("A string of a TXT record")
struct TXTEntryTests {
    static let valid: [(String, String, String)] = [
        ("deviceid=02:00:00:aa:00:01", "deviceid", "02:00:00:aa:00:01"),
        ("pw=", "pw", ""),
        ("da", "da", ""),
        ("fex=AMpf=QEC=", "fex", "AMpf=QEC="),
        ("gpn=Wohnzimmer & Küche 客厅", "gpn", "Wohnzimmer & Küche 客厅"),
    ]

    @Test("a string is split at its first equals sign", arguments: valid)
    func splits(string: String, key: String, value: String) {
        #expect(TXTEntry(parsing: Array(string.utf8)) == TXTEntry(key: key, value: value))
    }

    @Test("a string without a key is skipped", arguments: ["", "=", "=value"])
    func withoutKey(string: String) {
        #expect(TXTEntry(parsing: Array(string.utf8)) == nil)
    }

    @Test("a string longer than its length byte can state is skipped")
    func tooLong() {
        let longest = Array(("k=" + String(repeating: "x", count: 253)).utf8)
        #expect(TXTEntry(parsing: longest)?.value.count == 253)
        #expect(TXTEntry(parsing: longest + [0x78]) == nil)
    }

    @Test("bytes that are not text are kept in a readable form")
    func notUTF8() {
        #expect(TXTEntry(parsing: [0x6B, 0x3D, 0xFF]) == TXTEntry(key: "k", value: "\u{FFFD}"))
    }

    @Test("a key is found in any case; the first of equal keys wins")
    func lookup() {
        let entries = [TXTEntry(key: "Model", value: "1"), TXTEntry(key: "model", value: "2")]
        #expect(entries.value(of: "MODEL") == "1")
        #expect(entries.value(of: "models") == nil)
    }

    @Test("the recorded records have the recorded pairs")
    func recorded() throws {
        let file = try Vectors.dictionary("airplay/mdns-txt.json")
        #expect(file.count == 4)
        for service in try Sample.recorded() {
            let record = try #require(
                file["\(service.name).\(service.kind.rawValue).local."] as? [String: Any])
            let expected = try #require(record["txt"] as? [String: String])
            #expect(Dictionary(uniqueKeysWithValues: service.txt.map { ($0.key, $0.value) }) == expected)
        }
    }
}
