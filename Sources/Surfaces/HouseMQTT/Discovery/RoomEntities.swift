/// The entities of a room.
struct RoomEntities {
    let scheme: TopicScheme
    let target: TopicScheme.Target
    /// The zones that the room can belong to, as choices.
    let options: [String]

    private var state: JSONTree { .text(scheme.topic(target, "state")) }

    var drafts: [Discovery.Draft] { settings + reports }

    /// The entities that a person sets.
    private var settings: [Discovery.Draft] {
        [
            Discovery.Draft(
                .select, "zone", "Zone", icon: "speaker-multiple",
                [
                    "command_topic": .text(scheme.command(target, "zone")), "state_topic": state,
                    "value_template": "{{ value_json.zoneLabel }}", "options": .texts(options),
                ]),
            ZoneEntities.volume(scheme, target),
            Discovery.Draft(
                .number, "delay", "Delay", icon: "timer-outline",
                [
                    "command_topic": .text(scheme.command(target, "delay")),
                    "state_topic": .text(scheme.topic(target, "delay")), "min": -1000, "max": 1000, "step": 1,
                    "mode": "box", "unit_of_measurement": "ms", "entity_category": "config",
                ]),
            Discovery.Draft(
                .toggle, "night", "Night mode", icon: "weather-night",
                [
                    "command_topic": .text(scheme.command(target, "night")),
                    "state_topic": .text(scheme.topic(target, "night")), "payload_on": "on",
                    "payload_off": "off", "entity_category": "config",
                ]),
            Discovery.Draft(
                .number, "maximum", "Loudest volume", icon: "volume-equal",
                [
                    "command_topic": .text(scheme.command(target, "maximum")),
                    "state_topic": .text(scheme.topic(target, "maximum")), "min": 1, "max": 100, "step": 1,
                    "mode": "slider", "unit_of_measurement": "%", "entity_category": "config",
                ]),
        ]
    }

    /// The entities that show the room's state.
    private var reports: [Discovery.Draft] {
        [
            Discovery.Draft(
                .sensor, "state", "State", icon: "speaker",
                [
                    "state_topic": state, "value_template": "{{ value_json.state }}", "device_class": "enum",
                    "options": .texts(["idle", "connecting", "ready", "playing", "starved", "lost"]),
                    "json_attributes_topic": state,
                    "json_attributes_template": ZoneEntities.attributes([
                        "kind", "model", "session", "needsPassword",
                    ]),
                ]),
            Discovery.Draft(
                .sensor, "depth", "Buffer",
                [
                    "state_topic": .text(scheme.topic(target, RoomFields.depth)), "device_class": "duration",
                    "unit_of_measurement": "s", "state_class": "measurement", "entity_category": "diagnostic",
                ]),
            Discovery.Draft(
                .binarySensor, "present", "Present",
                [
                    "state_topic": .text(scheme.topic(target, "present")), "payload_on": "on",
                    "payload_off": "off", "device_class": "connectivity", "entity_category": "diagnostic",
                ]),
            ZoneEntities.trouble(state),
        ]
    }
}
