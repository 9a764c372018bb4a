import AirPlayMessages
import AirPlaySender
import Testing
import TuttiSystemIO

@testable import Playback

@Suite("Members of a group, as a user calls them")
struct SpeakerMembersTests {
    private static func member(_ name: String, id: String?, pair: String? = nil, at host: UInt8 = 1)
        -> ChosenSpeaker
    {
        let address = SocketAddress(IPAddress(192, 0, 2, host), port: 7000)
        var target = SpeakerTarget(name: name, addresses: [address])
        (target.id, target.pair) = (id, pair)
        return ChosenSpeaker(target)
    }

    private static let members = [
        member("Kitchen", id: "02:00:00:AA:00:01", at: 1), member("Kitchen", id: "02:00:00:AA:00:02", at: 2),
        member("Bed L", id: "pair:1", pair: "Bed", at: 3), member("Bed R", id: "pair:1", pair: "Bed", at: 4),
        member("192.0.2.5", id: nil, at: 5),
    ]

    static let found: [(String, [Int])] = [
        ("02:00:00:aa:00:01", [0]), ("02:00:00:AA:00:02", [1]), ("192.0.2.2", [1]), ("192.0.2.1:7000", [0]),
        ("bed", [2, 3]), ("pair:1", [2, 3]), ("Bed R", [3]), ("192.0.2.5", [4]),
    ]

    @Test("an id or an address means one speaker, and the name of a pair both halves", arguments: found)
    func finds(word: String, places: [Int]) throws {
        let found = try SpeakerMembers.members(called: word, of: Self.members)
        #expect(found.map(\.target.key) == places.map { Self.members[$0].target.key })
    }

    @Test(
        "a name that two speakers have is told ambiguous, with their ids", arguments: ["Kitchen", "kitchen"])
    func ambiguous(word: String) {
        let words =
            "'\(word)' is ambiguous: 'Kitchen' (02:00:00:AA:00:01) or 'Kitchen' (02:00:00:AA:00:02); "
            + "name one by its id or its address"
        #expect(throws: RouteError(words)) {
            try SpeakerMembers.members(called: word, of: Self.members)
        }
    }

    @Test("a speaker without an id is told by its address")
    func withoutID() {
        let members = [
            Self.member("Den", id: nil, at: 8), Self.member("Den", id: "02:00:00:AA:00:03", at: 9),
        ]
        let words =
            "'Den' is ambiguous: 'Den' (192.0.2.8:7000) or 'Den' (02:00:00:AA:00:03); "
            + "name one by its id or its address"
        #expect(throws: RouteError(words)) { try SpeakerMembers.members(called: "Den", of: members) }
    }

    @Test("the key of a speaker is its id, of a half of a pair the device's, and without an id the name")
    func keys() {
        #expect(Self.members.map(\.target.key).count == Set(Self.members.map(\.target)).count)
        #expect(
            Self.members[0].target.key == "02:00:00:AA:00:01" && Self.members[4].target.key == "192.0.2.5")
        var half = SpeakerTarget(
            name: "Bed L", addresses: [],
            record: AirPlayTXTRecord([(key: "deviceid", value: "02:00:00:AA:00:04")]))
        (half.id, half.pair) = ("pair:1", "Bed")
        #expect(half.key == "02:00:00:AA:00:04")
        half.name = "Bed left"
        #expect(half.named == NamedSpeaker(id: "02:00:00:AA:00:04", name: "Bed left"))
    }

    @Test("stored speakers keep their ids, and the halves of a pair that an older version stored their names")
    func stored() {
        func key(_ id: String, _ name: String, pair: String? = nil) -> String? {
            var speaker = RouteMemory.Speaker(
                id: id, name: name, endpoints: [.init(address: "192.0.2.7", port: 7000)])
            speaker.pair = pair
            return speaker.chosen(localAddress: nil)?.target.key
        }
        #expect(key("02:00:00:AA:00:01", "Kitchen") == "02:00:00:AA:00:01")
        #expect(key("pair:1", "Bed L") == "Bed L" && key("pair:1", "Bed R") == "Bed R")
        #expect(key("pair:1", "Bed L", pair: "Bed") == "pair:1 Bed L")
    }
}
