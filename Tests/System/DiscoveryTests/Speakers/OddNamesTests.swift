import Testing
import TuttiSystemIO

@testable import TuttiDiscovery

@Suite("Speakers with unusual names")
struct OddNamesTests {
    @Test(
        "both records of a speaker are one speaker, whatever its name begins with",
        arguments: ["\u{301}x", "@", "me@home", "\u{1F3B5}", " ", "客厅", "a\u{301}@\u{301}"])
    func joined(name: String) throws {
        var directory = SpeakerDirectory()
        _ = directory.apply(.appeared(try Sample.raop(name)))
        _ = directory.apply(.appeared(try Sample.airplay(name)))
        let speakers = directory.speakers
        #expect(speakers.map(\.id) == [.device("020000AA0001")])
        #expect(speakers.first?.name == name)
        #expect(speakers.first?.raop != nil && speakers.first?.airplay != nil)
    }

    static let names = ["Küche", "客厅", "\u{1F3B5} Room", "a\tb", " Den ", "\u{301}x", "020000AA0001"]

    static let found: [(String, String)] = [
        ("Ku\u{308}che", "Küche"), ("KU\u{308}CHE", "Küche"), ("kü", "Küche"), ("客", "客厅"),
        ("\u{1F3B5}", "\u{1F3B5} Room"), ("A\tB", "a\tb"), (" Den ", " Den "), (" d", " Den "),
        ("\u{301}X", "\u{301}x"),
        // The name of one speaker is the id of another.
        ("020000AA0001", "020000AA0001"), ("02:00:00:AA:00:01", "客厅"), ("02-00-00-aa-00-06", "020000AA0001"),
    ]

    @Test("a name finds its speaker, whatever its form", arguments: found)
    func lookup(name: String, expected: String) throws {
        var directory = SpeakerDirectory()
        for (index, name) in Self.names.enumerated() {
            _ = directory.apply(
                .appeared(try Sample.airplay(name, device: "02:00:00:aa:00:0\(index)", address: index + 1)))
        }
        #expect(try directory.speaker(named: name).name == expected)
    }

    @Test(
        "a part of an id, and a name with blanks around it, is not a name",
        arguments: ["02:00", "Den", "02:00:00:AA:00:07", "02:00:00:AA:00:01 ", "üche"])
    func unknown(name: String) throws {
        var directory = SpeakerDirectory()
        for (index, name) in Self.names.dropLast().enumerated() {
            _ = directory.apply(
                .appeared(try Sample.airplay(name, device: "02:00:00:aa:00:0\(index)", address: index + 1)))
        }
        #expect(throws: SpeakerLookupError.notFound(name: name, known: directory.speakers.map(\.name))) {
            try directory.speaker(named: name)
        }
    }

    @Test(
        "a device id has twelve digits of ASCII, with any separators",
        arguments: [
            ("0-2:0000AA:0001", "020000AA0001"), ("::020000aa0001--", "020000AA0001"),
            ("020000AA0001 ", nil), ("020000AA00011", nil), ("", nil), (":::::", nil),
            ("\u{FF10}\u{FF11}\u{FF12}\u{FF13}", nil), ("0200.00AA.0001", nil),
        ] as [(String, String?)])
    func digits(text: String, digits: String?) {
        #expect(SpeakerID.digits(text) == digits)
    }

    @Test("an address with a port that does not exist is told with the range")
    func port() {
        #expect(
            SpeakerLookupError.noSuchPort(word: "10.0.0.7:99999", port: "99999").description
                == "'10.0.0.7:99999' names port 99999, which does not exist: ports are 1 to 65535")
    }

    @Test("a requested name is found beyond the limit whatever it begins with")
    func preferred() {
        let preferred = PreferredNames(["\u{301}x", "Küche", "me@home", "02:00:00:AA:00:01"])
        for name in [
            "020000AA0009@\u{301}X", "020000AA0009@ku\u{308}che", "020000AA0009@me@home", "Küche",
            "020000aa0001@Other",
        ] {
            #expect(preferred.contains(ServiceID(kind: .raop, name: name)), "\(name)")
        }
        #expect(preferred.contains(ServiceID(kind: .airplay, name: "KÜCHE")))
        for name in ["", "@", "020000AA0002@", "020000AA0009@Kuche", "home"] {
            #expect(!preferred.contains(ServiceID(kind: .raop, name: name)), "\(name)")
            #expect(!preferred.contains(ServiceID(kind: .airplay, name: name)), "\(name)")
        }
        #expect(!PreferredNames([]).contains(ServiceID(kind: .airplay, name: "")))
    }

    @Test("numbered names of one speaker differ, also if the name has to be cut")
    func numbered() {
        for text in ["Kitchen", String(repeating: "a", count: 200), String(repeating: "客", count: 40)] {
            var name = ServiceName(text, prefixByteCount: 13)
            var seen: Set<String> = []
            for _ in 0..<200 {
                #expect(seen.insert(name.text).inserted)
                name.next()
            }
        }
    }

    @Test("a record that is announced is cut to what a string and a record hold, and keeps its other keys")
    func announced() {
        let long = [TXTEntry(key: "a", value: String(repeating: "x", count: 1000))]
        let many = (0..<200).map { TXTEntry(key: "k\($0)", value: "=\($0)") }
        let read = withAvahiList(long + many) { [TXTEntry]($0) }
        #expect(read.count == 128)
        #expect(read.value(of: "a")?.count == 253)
        #expect(read.value(of: "k126") == "=126" && read.value(of: "k127") == nil)
        #expect(withAvahiList([]) { [TXTEntry]($0) }.isEmpty)
        #expect(withAvahiList([TXTEntry(key: "", value: "x")]) { [TXTEntry]($0) }.isEmpty)
    }
}
