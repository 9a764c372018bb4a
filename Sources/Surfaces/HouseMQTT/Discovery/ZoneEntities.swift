import TuttiHouse

/// The entities of a zone.
struct ZoneEntities {
    let scheme: TopicScheme
    let target: TopicScheme.Target

    private var state: JSONTree { .text(scheme.topic(target, "state")) }

    var drafts: [Discovery.Draft] { sensors + controls + buttons }

    private var sensors: [Discovery.Draft] {
        [
            Discovery.Draft(
                .sensor, "state", "State", icon: "speaker-multiple",
                [
                    "state_topic": state, "value_template": "{{ value_json.state }}", "device_class": "enum",
                    "options": .texts(["stopped", "playing", "paused", "waiting"]),
                    "json_attributes_topic": state,
                    "json_attributes_template": Self.attributes([
                        "roomNames", "station", "duration", "index", "length", "sleep",
                    ]),
                ]),
            text("title", "Title", icon: "music-note"),
            text("artist", "Artist", icon: "account-music"),
            text("album", "Album", icon: "album"),
            Discovery.Draft(
                .sensor, "depth", "Buffer",
                [
                    "state_topic": .text(scheme.topic(target, ZoneFields.depth)), "device_class": "duration",
                    "unit_of_measurement": "s", "state_class": "measurement", "entity_category": "diagnostic",
                ]),
            Self.trouble(state),
        ]
    }

    private var controls: [Discovery.Draft] {
        [
            Self.volume(scheme, target),
            Discovery.Draft(
                .toggle, "shuffle", "Shuffle", icon: "shuffle-variant",
                [
                    "command_topic": .text(scheme.command(target, "shuffle")),
                    "state_topic": .text(scheme.topic(target, "shuffle")), "payload_on": "on",
                    "payload_off": "off",
                ]),
            Discovery.Draft(
                .select, "repeat", "Repeat", icon: "repeat",
                [
                    "command_topic": .text(scheme.command(target, "repeat")),
                    "state_topic": .text(scheme.topic(target, "repeat")),
                    "options": .texts(RepeatMode.allCases.map(\.rawValue)),
                ]),
            Discovery.Draft(
                .select, "levelling", "Levelling", icon: "tune-vertical",
                [
                    "command_topic": .text(scheme.command(target, "levelling")),
                    "state_topic": .text(scheme.topic(target, "levelling")),
                    "options": .texts(VolumeLevelling.allCases.map(\.rawValue)), "entity_category": "config",
                ]),
            seconds("crossfade", "Crossfade", upTo: 12, icon: "transition"),
            seconds("sleep-fade", "Sleep fade", upTo: 600, icon: "sleep"),
        ]
    }

    private func seconds(_ word: String, _ name: String, upTo limit: Double, icon: String) -> Discovery.Draft
    {
        Discovery.Draft(
            .number, word, name, icon: icon,
            [
                "command_topic": .text(scheme.command(target, word)),
                "state_topic": .text(scheme.topic(target, word)), "min": 0, "max": .number(limit), "step": 1,
                "mode": "box", "unit_of_measurement": "s", "entity_category": "config",
            ])
    }

    private var buttons: [Discovery.Draft] {
        [
            ("play", "Play", "play"), ("pause", "Pause", "pause"), ("next", "Next", "skip-next"),
            ("previous", "Previous", "skip-previous"), ("stop", "Stop", "stop"),
        ].map { word, name, icon in
            Discovery.Draft(
                .button, word, name, icon: icon,
                ["command_topic": .text(scheme.command(target, word)), "payload_press": "PRESS"])
        }
    }

    /// A sensor of a text. Home Assistant takes states of at most 255 characters, and “None” for an unknown
    /// one.
    private func text(_ key: String, _ name: String, icon: String) -> Discovery.Draft {
        Discovery.Draft(
            .sensor, key, name, icon: icon,
            [
                "state_topic": state,
                "value_template": .text("{{ (value_json.\(key) or 'None')[:250] }}"),
            ])
    }

    /// A number for the volume of a zone or a room.
    static func volume(_ scheme: TopicScheme, _ target: TopicScheme.Target) -> Discovery.Draft {
        Discovery.Draft(
            .number, "volume", "Volume", icon: "volume-high",
            [
                "command_topic": .text(scheme.command(target, "volume")),
                "state_topic": .text(scheme.topic(target, "state")),
                "value_template": "{{ value_json.volume }}", "min": 0, "max": 100, "step": 1,
                "mode": "slider", "unit_of_measurement": "%",
            ])
    }

    /// Attributes of a sensor: these members of the state. Home Assistant stores each change of an
    /// attribute, so the position is not among them.
    static func attributes(_ members: [String]) -> JSONTree {
        let pairs = members.map { "'\($0)': value_json.\($0)" }.joined(separator: ", ")
        return .text("{{ {\(pairs)} | tojson }}")
    }

    /// A binary sensor that is on while something is wrong, with the sentence as an attribute.
    static func trouble(_ state: JSONTree) -> Discovery.Draft {
        Discovery.Draft(
            .binarySensor, "trouble", "Trouble",
            [
                "state_topic": state, "device_class": "problem", "entity_category": "diagnostic",
                "value_template": "{{ 'ON' if value_json.trouble else 'OFF' }}",
                "json_attributes_topic": state,
                "json_attributes_template": "{{ {'message': value_json.trouble} | tojson }}",
            ])
    }
}
