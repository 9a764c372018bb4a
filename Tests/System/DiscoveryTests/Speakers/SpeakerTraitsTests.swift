import Testing

@testable import TuttiDiscovery

@Suite("Traits in TXT records")
struct SpeakerTraitsTests {
    struct Expected: OptionSet, Sendable {
        let rawValue: Int
        static let airPlay1 = Expected(rawValue: 1)
        static let airPlay2 = Expected(rawValue: 2)
        static let buffered = Expected(rawValue: 4)
        static let ptp = Expected(rawValue: 8)
        static let pin = Expected(rawValue: 16)
        static let home = Expected(rawValue: 32)
        static let password = Expected(rawValue: 64)
    }

    static let airplay: [(String, [String], Expected)] = [
        ("shairport-sync", ["features=0x405FCA00,0x18340", "flags=0x4"], [.airPlay2, .buffered, .ptp]),
        ("AirPort Express 2", ["features=0x445D0A00,0x1C340", "flags=0x4"], [.airPlay2, .buffered, .ptp]),
        (
            "with a password", ["features=0x405FCA00,0x18340", "flags=0x84"],
            [.airPlay2, .buffered, .ptp, .password]
        ),
        (
            "password in pw", ["features=0x405FCA00,0x18340", "pw=true"],
            [.airPlay2, .buffered, .ptp, .password]
        ),
        ("with a PIN", ["features=0x405FCA00,0x18340", "flags=0x8"], [.airPlay2, .buffered, .ptp, .pin]),
        (
            "one-time pairing", ["features=0x405FCA00,0x18340", "flags=0x244"],
            [.airPlay2, .buffered, .ptp, .pin]
        ),
        ("same home only", ["features=0x405FCA00,0x18340", "acl=2"], [.airPlay2, .buffered, .ptp, .home]),
        ("an old receiver", ["features=0x444F8A00"], []),
        ("without features", [], []),
        ("with nonsense", ["features=zebra", "flags=", "acl=x"], []),
        ("no sound", ["features=0x405FC800,0x18340"], []),
    ]

    @Test("_airplay records determine the traits", arguments: airplay)
    func traits(name: String, txt: [String], expected: Expected) throws {
        let more = txt.compactMap { TXTEntry(parsing: Array($0.utf8)) }
        var directory = SpeakerDirectory()
        _ = directory.apply(.appeared(try Sample.airplay(name, more: more)))
        #expect(Self.flags(try #require(directory.speakers.first).traits) == expected)
    }

    static let raop: [([String], Expected)] = [
        (["tp=UDP", "et=0,1", "pw=false"], [.airPlay1]),
        (["tp=UDP", "pw=true"], [.airPlay1, .password]),
        (["sf=0x84"], [.airPlay1, .password]),
        (["ft=0x405FCA00,0x18340", "sf=0x4"], [.airPlay1]),
    ]

    @Test("_raop alone is never AirPlay 2", arguments: raop)
    func raopAlone(txt: [String], expected: Expected) throws {
        let more = txt.compactMap { TXTEntry(parsing: Array($0.utf8)) }
        var directory = SpeakerDirectory()
        _ = directory.apply(.appeared(try Sample.raop("Old", more: more)))
        #expect(Self.flags(try #require(directory.speakers.first).traits) == expected)
    }

    @Test("the recorded receivers have their traits")
    func recorded() throws {
        var directory = SpeakerDirectory()
        for service in try Sample.recorded() { _ = directory.apply(.appeared(service)) }
        for speaker in directory.speakers {
            #expect(Self.flags(speaker.traits) == [.airPlay1, .airPlay2, .buffered, .ptp])
        }
    }

    private static func flags(_ traits: SpeakerTraits) -> Expected {
        let pairs: [(Bool, Expected)] = [
            (traits.speaksAirPlay1, .airPlay1), (traits.speaksAirPlay2, .airPlay2),
            (traits.isBuffered, .buffered),
            (traits.usesPTP, .ptp), (traits.needsPIN, .pin), (traits.needsHome, .home),
            (traits.needsPassword, .password),
        ]
        return Expected(pairs.filter(\.0).map(\.1))
    }
}
