import Testing
import TuttiHouse
import TuttiMQTT

@testable import TuttiHouseMQTT

@Suite("Topics of the house")
struct TopicSchemeTests {
    private static let scheme = TopicScheme(root: "tutti", name: "My House")

    @Test("the house's name and slashes become safe levels")
    func base() {
        #expect(Self.scheme.base == "tutti/my_house")
        #expect(TopicScheme(root: "/a/b/", name: "Ü+#").base == "a/b/house")
        #expect(TopicScheme(root: "", name: "x").base == "x")
        #expect(Self.scheme.command(.zone(TestState.zone), "play") == "tutti/my_house/zone/1/play/set")
        #expect(Self.scheme.topic(.room("bath"), "volume") == "tutti/my_house/room/bath/volume")
    }

    @Test(
        "a topic is read back, and others are none",
        arguments: [
            ("zone/1/play/set", "zone/1 play/set"), ("room/bath/state", "room/bath state"),
            ("zone/01/state", nil), ("zone/x/state", nil), ("zone//state", nil), ("room//x", nil),
            ("zone/1", nil),
            ("hall/1/state", nil), ("status", nil), ("zone/1/a/b/c", "zone/1 a/b/c"),
        ] as [(String, String?)])
    func parsing(rest: String, expected: String?) {
        let found = Self.scheme.parse("tutti/my_house/" + rest).map { $0.target.levels + " " + $0.rest }
        #expect(found == expected)
        #expect(Self.scheme.parse("tutti/my_housex/" + rest) == nil)
    }

    @Test(
        "a room's id becomes a level of its own",
        arguments: [
            ("AA:BB:CC:DD:EE:FF", "aabbccddeeff"), ("bath", "bath"), ("living_room-2", "living_room-2"),
            ("aabbccddeeff", "aabbccddeeff-08aa4f60e8fe3055"), ("local:hw 0", nil), ("LOCAL:HW 0", nil),
            ("✨", nil), ("", nil),
        ] as [(String, String?)])
    func rooms(id: String, level: String?) {
        let found = RoomID(rawValue: id).topicLevel
        #expect(MQTTTopic.isName(found) && !found.contains("/"))
        if let level, !level.contains("-0") { #expect(found == level) }
    }

    @Test("ids that differ only in what a topic cannot hold have levels that differ")
    func distinct() {
        let ids = ["a b", "a_b", "A b", "a+b", "a/b", "aabbccddeeff", "AA:BB:CC:DD:EE:FF", "✨", "💡", ""]
        #expect(Set(ids.map { RoomID(rawValue: $0).topicLevel }).count == ids.count)
    }
}

@Suite("Zones as choices")
struct ZoneLabelsTests {
    private static let labels = ZoneLabels(
        [(1, "Music"), (2, "Garden"), (3, "Garden"), (4, "None"), (5, "7")].map {
            ZoneSnapshot(id: ZoneID(rawValue: $0.0), name: $0.1)
        })

    @Test("each label is there once, and stands for nothing else")
    func labels() {
        #expect(Self.labels.options == ["No zone", "Music", "Garden (2)", "Garden (3)", "None (4)", "7 (5)"])
        for (zone, label) in Self.labels.labels { #expect(Self.labels.choice(for: label)?.zone == zone) }
    }

    @Test(
        "a name that another label or a number could mean gets the zone's number",
        arguments: [
            ("1e0", "1e0 (5)"), ("2.0", "2.0 (5)"), ("0x2", "0x2 (5)"), ("nan", "nan (5)"),
            ("Garden (2)", "Garden (2) (5)"), ("Garden (9)", "Garden (9)"), ("2nd floor", "2nd floor"),
        ])
    func ambiguity(name: String, label: String) {
        let zones = [(1, "Music"), (2, "Garden"), (3, "Garden"), (5, name)].map {
            ZoneSnapshot(id: ZoneID(rawValue: $0.0), name: $0.1)
        }
        let labels = ZoneLabels(zones)
        #expect(labels.label(of: ZoneID(rawValue: 5)) == label)
        #expect(Set(labels.options).count == 5)
        for (zone, label) in labels.labels { #expect(labels.choice(for: label)?.zone == zone) }
    }

    @Test(
        "a number, a label and the words for none are understood",
        arguments: [
            ("2", 2), ("Music", 1), ("None", 0), ("none", 0), ("No zone", 0), ("", 0), ("null", 0),
            ("9", nil), ("Attic", nil), ("2.0", 2), ("2.6", nil), ("1e300", nil), ("nan", nil),
        ] as [(String, Int?)])
    func zones(text: String, zone: Int?) {
        let expected = zone.map { ZoneLabels.Choice(zone: $0 == 0 ? nil : ZoneID(rawValue: $0)) }
        #expect(Self.labels.choice(for: text) == expected)
    }
}
