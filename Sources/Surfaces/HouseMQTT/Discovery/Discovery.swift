import TuttiHouse

/// The announcement of the house to Home Assistant, by its MQTT discovery.
///
/// The house, each zone and each room are a device with entities; the message of each entity has the topic
/// `PREFIX/COMPONENT/NODE/OBJECT/config`. There is no media player among the components that Home Assistant
/// discovers by MQTT.
///
/// Source: www.home-assistant.io/integrations/mqtt, “MQTT discovery”, and the pages of the components.
struct Discovery: Sendable {
    /// An entity, without the members that all entities have.
    struct Draft {
        let component: DiscoveryEntity.Component
        /// The last word of the unique id.
        let key: String
        let name: String
        let icon: String?
        let fields: [String: JSONTree]

        init(
            _ component: DiscoveryEntity.Component, _ key: String, _ name: String, icon: String? = nil,
            _ fields: [String: JSONTree]
        ) {
            (self.component, self.key, self.name, self.icon) = (component, key, name, icon)
            self.fields = fields
        }
    }

    let prefix: String
    let scheme: TopicScheme
    /// The name of the house.
    let name: String
    /// The version of the program.
    let version: String

    init(prefix: String, scheme: TopicScheme, name: String, version: String) {
        self.prefix = TopicScheme.trimmed(prefix)
        (self.scheme, self.name, self.version) = (scheme, name, version)
    }

    /// The second level of the topics, and the beginning of all identities.
    var node: String { "tutti_" + scheme.house }

    /// The topic on which Home Assistant says that it has started.
    var birthTopic: String { prefix + "/status" }

    /// The filter of all announcements of this house.
    var filter: String { "\(prefix)/+/\(node)/+/config" }

    // MARK: Entities

    /// The entities of the house itself.
    var houseEntities: [DiscoveryEntity] {
        let draft = Draft(
            .binarySensor, "trouble", "Trouble",
            [
                "state_topic": .text(scheme.topic("state")), "device_class": "problem",
                "entity_category": "diagnostic",
                "value_template": "{{ 'ON' if value_json.troubles else 'OFF' }}",
                "json_attributes_topic": .text(scheme.topic("state")),
                "json_attributes_template": "{{ {'messages': value_json.troubles} | tojson }}",
            ])
        return [entity(draft, "house", houseDevice)]
    }

    private var houseDevice: [String: JSONTree] {
        [
            "identifiers": .texts([node]), "name": .text("Tutti " + name), "manufacturer": "Tutti",
            "model": "Music house", "sw_version": .text(version),
        ]
    }

    /// The entities of a zone.
    func entities(of zone: ZoneSnapshot) -> [DiscoveryEntity] {
        let target = TopicScheme.Target.zone(zone.id)
        let device = device(target, name: "Zone " + zone.name, model: "Zone", [:])
        return ZoneEntities(scheme: scheme, target: target).drafts.map {
            entity($0, Self.word(target), device)
        }
    }

    /// The entities of a room.
    ///
    /// - Parameter options: The zones that the room can belong to, as choices.
    func entities(of room: RoomSnapshot, options: [String]) -> [DiscoveryEntity] {
        let target = TopicScheme.Target.room(room.id.topicLevel)
        // An output of this machine is named after the device, not after a place.
        let area: [String: JSONTree] = room.kind == .airPlay ? ["suggested_area": .text(room.name)] : [:]
        let device = device(target, name: room.name, model: room.model ?? "Room", area)
        return RoomEntities(scheme: scheme, target: target, options: options).drafts
            .map { entity($0, Self.word(target), device) }
    }

    /// The entities of an alarm: a switch of the house's device.
    func entities(of alarm: AlarmID, named name: String) -> [DiscoveryEntity] {
        let target = TopicScheme.Target.alarm(alarm)
        return [entity(alarmDraft(target, name), Self.word(target), houseDevice)]
    }

    private func alarmDraft(_ target: TopicScheme.Target, _ name: String) -> Draft {
        Draft(
            .toggle, "on", name, icon: "alarm",
            [
                "command_topic": .text(scheme.command(target, "on")),
                "state_topic": .text(scheme.topic(target, "on")), "payload_on": "on", "payload_off": "off",
                "json_attributes_topic": .text(scheme.topic(target, "state")),
            ])
    }

    /// The topics of all entities of a zone, a room or an alarm.
    func topics(of target: TopicScheme.Target) -> [String] {
        let drafts =
            switch target {
            case .zone: ZoneEntities(scheme: scheme, target: target).drafts
            case .room: RoomEntities(scheme: scheme, target: target, options: []).drafts
            case .alarm: [alarmDraft(target, "")]
            }
        return drafts.map { topic($0.component, Self.word(target) + "_" + $0.key) }
    }

    private static func word(_ target: TopicScheme.Target) -> String {
        switch target {
        case .zone(let id): "zone_\(id)"
        case .room(let level): "room_\(level)"
        case .alarm(let id): "alarm_\(id)"
        }
    }

    private func topic(_ component: DiscoveryEntity.Component, _ object: String) -> String {
        "\(prefix)/\(component.rawValue)/\(node)/\(object)/config"
    }

    private func device(
        _ target: TopicScheme.Target, name: String, model: String, _ more: [String: JSONTree]
    ) -> [String: JSONTree] {
        let fields: [String: JSONTree] = [
            "identifiers": .texts([node + "_" + Self.word(target)]), "name": .text(name),
            "manufacturer": "Tutti", "model": .text(model), "sw_version": .text(version),
            "via_device": .text(node),
        ]
        return fields.merging(more) { $1 }
    }

    private func entity(_ draft: Draft, _ word: String, _ device: [String: JSONTree]) -> DiscoveryEntity {
        let object = word + "_" + draft.key
        var fields = draft.fields
        fields["name"] = .text(draft.name)
        fields["unique_id"] = .text(node + "_" + object)
        if let icon = draft.icon { fields["icon"] = .text("mdi:" + icon) }
        fields["availability_topic"] = .text(scheme.status)
        fields["device"] = .object(device)
        fields["origin"] = .object(["name": "Tutti", "sw_version": .text(version)])
        return DiscoveryEntity(topic: topic(draft.component, object), payload: fields.tree.encoded)
    }
}
