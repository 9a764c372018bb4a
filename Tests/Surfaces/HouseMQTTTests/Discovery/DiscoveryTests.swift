import Foundation
import Testing
import TuttiHouse
import TuttiMQTT

@testable import TuttiHouseMQTT

/// The fields of the components that Home Assistant documents at
/// www.home-assistant.io/integrations/COMPONENT.mqtt, as far as the house uses them, with their types.
enum ComponentSchema {
    enum Form {
        case text, number, texts, object
        case choice([String])
        case topic, template
    }

    static let common: [String: Form] = [
        "name": .text, "unique_id": .text, "icon": .text, "availability_topic": .topic, "device": .object,
        "origin": .object, "entity_category": .choice(["config", "diagnostic"]),
        "json_attributes_topic": .topic, "json_attributes_template": .template,
    ]

    static let fields: [String: [String: Form]] = [
        "sensor": [
            "state_topic": .topic, "value_template": .template, "unit_of_measurement": .text,
            "device_class": .choice(["enum", "duration"]), "state_class": .choice(["measurement"]),
            "options": .texts,
        ],
        "binary_sensor": [
            "state_topic": .topic, "value_template": .template, "payload_on": .text, "payload_off": .text,
            "device_class": .choice(["problem", "connectivity"]),
        ],
        "number": [
            "command_topic": .topic, "state_topic": .topic, "value_template": .template, "min": .number,
            "max": .number, "step": .number, "mode": .choice(["slider", "box"]), "unit_of_measurement": .text,
        ],
        "button": ["command_topic": .topic, "payload_press": .text],
        "switch": [
            "command_topic": .topic, "state_topic": .topic, "payload_on": .text, "payload_off": .text,
        ],
        "select": [
            "command_topic": .topic, "state_topic": .topic, "value_template": .template, "options": .texts,
        ],
    ]

    static let required: [String: [String]] = [
        "sensor": ["state_topic"], "binary_sensor": ["state_topic"], "number": ["command_topic"],
        "button": ["command_topic"], "switch": ["command_topic"], "select": ["command_topic", "options"],
    ]

    static func fits(_ value: Any, _ form: Form) -> Bool {
        switch form {
        case .text: (value as? String).map { !$0.isEmpty } ?? false
        case .number: value is NSNumber
        case .texts: (value as? [String]).map { !$0.isEmpty && Set($0).count == $0.count } ?? false
        case .object: value is [String: Any]
        case .choice(let words): (value as? String).map { words.contains($0) } ?? false
        case .topic: (value as? String).map { MQTTTopic.isName($0) } ?? false
        case .template: (value as? String).map { $0.hasPrefix("{{ ") && $0.hasSuffix(" }}") } ?? false
        }
    }
}

@Suite("The announcement to Home Assistant")
struct DiscoveryTests {
    private struct Announced {
        let topic: String
        let component: String
        let object: String
        let fields: [String: Any]
    }

    /// Returns the announced entities.
    private static func announced(_ house: HouseSnapshot = TestState.house) throws -> [Announced] {
        var publisher = TestState.publisher(house)
        let messages = publisher.everything(at: TestTime().at(0)).filter {
            $0.topic.hasPrefix("homeassistant/")
        }
        #expect(messages.allSatisfy { $0.isRetained })
        return try messages.map { message in
            let levels = message.topic.split(separator: "/").map(String.init)
            #expect(levels.count == 5 && levels[2] == "tutti_my_house" && levels[4] == "config")
            let object = try JSONSerialization.jsonObject(with: Data(message.payload))
            let fields = try #require(object as? [String: Any])
            return Announced(topic: message.topic, component: levels[1], object: levels[3], fields: fields)
        }
    }

    @Test("every field is a documented one of its component, and has the documented form")
    func schema() throws {
        for entity in try Self.announced() {
            let known = try #require(ComponentSchema.fields[entity.component])
            for (key, value) in entity.fields {
                let form = try #require(known[key] ?? ComponentSchema.common[key], "\(entity.topic): \(key)")
                #expect(ComponentSchema.fits(value, form), "\(entity.topic): \(key) = \(value)")
            }
            for key in ComponentSchema.required[entity.component] ?? [] {
                #expect(entity.fields[key] != nil, "\(entity.topic): \(key)")
            }
            for key in ["name", "unique_id", "availability_topic", "device", "origin"] {
                #expect(entity.fields[key] != nil, "\(entity.topic): \(key)")
            }
            // Home Assistant wants options of an enum, and of nothing else with a class.
            let isEnum = entity.fields["device_class"] as? String == "enum"
            #expect(entity.component != "sensor" || isEnum == (entity.fields["options"] != nil))
        }
    }

    @Test("a device has identifiers, a name and the house as its parent")
    func devices() throws {
        var names: [String: String] = [:]
        let strings = ["name", "manufacturer", "model", "sw_version", "via_device", "suggested_area"]
        for entity in try Self.announced() {
            let device = try #require(entity.fields["device"] as? [String: Any])
            let identifier = try #require((device["identifiers"] as? [String])?.first)
            #expect(Set(device.keys).isSubset(of: strings + ["identifiers"]))
            for key in strings where device[key] != nil { #expect(device[key] is String) }
            names[identifier] = device["name"] as? String
            let origin = try #require(entity.fields["origin"] as? [String: String])
            #expect(origin == ["name": "Tutti", "sw_version": "1.2"])
        }
        #expect(
            names == [
                "tutti_my_house": "Tutti My House", "tutti_my_house_zone_1": "Zone Music",
                "tutti_my_house_room_aabbccddeeff": "Kitchen", "tutti_my_house_room_bath": "Bath",
            ])
    }

    @Test("identities are there once, and the same in each run")
    func identities() throws {
        let first = try Self.announced(), second = try Self.announced()
        let identities = first.compactMap { $0.fields["unique_id"] as? String }
        #expect(Set(identities).count == first.count)
        #expect(identities == second.compactMap { $0.fields["unique_id"] as? String })
        for entity in first {
            #expect(entity.fields["unique_id"] as? String == "tutti_my_house_" + entity.object)
        }
    }

    @Test("zones and rooms have the entities that automations need")
    func entities() throws {
        let found = Set(try Self.announced().map { $0.component + " " + $0.object })
        let zone = [
            "sensor state", "sensor title", "sensor artist", "sensor album", "sensor depth", "number volume",
            "button play", "button pause", "button next", "button previous", "button stop", "switch shuffle",
            "select repeat", "select levelling", "number crossfade", "number sleep-fade",
            "binary_sensor trouble",
        ]
        let room = [
            "select zone", "number volume", "number delay", "switch night", "number maximum", "sensor state",
            "sensor depth",
            "binary_sensor present", "binary_sensor trouble",
        ]
        func spelled(_ entity: String, _ word: String) -> String {
            entity.replacing(" ", with: " \(word)_")
        }
        let expected =
            ["binary_sensor house_trouble", "switch alarm_4_on"] + zone.map { spelled($0, "zone_1") }
            + ["room_aabbccddeeff", "room_bath"].flatMap { word in room.map { spelled($0, word) } }
        #expect(found == Set(expected))
    }

    @Test("commands of the entities are commands of the surface, and their states are published")
    func topics() throws {
        var publisher = TestState.publisher()
        let published = Set(publisher.everything(at: TestTime().at(0)).map(\.topic))
        let reader = CommandReader(scheme: publisher.scheme, house: publisher.house)
        for entity in try Self.announced() {
            for key in ["state_topic", "json_attributes_topic", "availability_topic"] {
                if let topic = entity.fields[key] as? String {
                    #expect(published.contains(topic), "\(topic)")
                }
            }
            guard let topic = entity.fields["command_topic"] as? String else { continue }
            let payloads =
                entity.fields["options"] as? [String] ?? [
                    entity.fields["payload_on"] as? String ?? entity.fields["payload_press"] as? String
                        ?? "50"
                ]
            for payload in payloads {
                _ = try reader.read(MQTTMessage(topic: topic, text: payload))
            }
        }
    }

    @Test("a repeated select shows the state of each room as one of its options")
    func options() throws {
        let select = try #require(try Self.announced().first { $0.object == "room_bath_zone" })
        #expect(select.fields["options"] as? [String] == ["No zone", "Music"])
        var publisher = TestState.publisher()
        let state = publisher.everything(at: TestTime().at(0)).byTopic["tutti/my_house/room/bath/state"]
        #expect(state?.contains(#""zoneLabel":"No zone""#) == true)
    }
}
