import TuttiHouse
import TuttiMQTT

/// The messages that tell a broker the state of the house: the changed values only.
struct Publisher: Sendable {
    /// The time between two depths of a room or a zone.
    static let depthInterval = Duration.seconds(5)

    let scheme: TopicScheme
    /// The announcement to Home Assistant; `nil` for none.
    let discovery: Discovery?
    private let about: [String: JSONTree]
    private(set) var house = HouseMirror()
    /// Hashes of the payloads that the broker has, by topic.
    private var sent: [String: Int] = [:]
    private var announced: [TopicScheme.Target: Int] = [:]
    private var positions: [ZoneID: PublishedPosition] = [:]
    private var depthTimes: [TopicScheme.Target: ContinuousClock.Instant] = [:]
    /// The zones whose position waits for its time, with that time.
    private var waiting: [ZoneID: ContinuousClock.Instant] = [:]
    /// Whether the list of zones and rooms may differ from the published one.
    private var isHouseStale = false
    private var messages: [MQTTMessage] = []

    init(scheme: TopicScheme, discovery: Discovery?, name: String, version: String) {
        (self.scheme, self.discovery) = (scheme, discovery)
        about = ["name": .text(name), "version": .text(version)]
    }

    /// The time at which ``tick(at:)`` has something to publish; `nil` for none.
    var deadline: ContinuousClock.Instant? { waiting.values.min() }

    // MARK: Inputs

    /// Sets the state of the whole house without publishing it.
    mutating func take(_ house: HouseMirror) { self.house = house }

    /// Applies a change while there is no broker.
    mutating func note(_ body: HouseChange.Body) { house.apply(body) }

    /// Returns everything, for a broker that knows nothing.
    mutating func everything(at moment: Moment) -> [MQTTMessage] {
        (sent, announced, positions, depthTimes, waiting) = ([:], [:], [:], [:], [:])
        put(scheme.status, "online")
        announceHouse()
        for zone in house.zones { publish(zone, at: moment) }
        for room in house.rooms { publish(room, at: moment) }
        publishAnnouncements()
        publishAlarms()
        isHouseStale = false
        return takeMessages()
    }

    /// Applies a change, and returns the messages for the changed values.
    mutating func apply(_ body: HouseChange.Body, at moment: Moment) -> [MQTTMessage] {
        let (labels, alarms) = (house.labels, house.alarms)
        house.apply(body)
        switch body {
        case .zone(let zone):
            if let zone = house.zone(zone.id) { publish(zone, at: moment) }
        case .zoneRemoved(let zone): remove(.zone(zone), ZoneFields.names)
        case .room(let room):
            guard let room = house.room(room.id) else { break }
            publish(room, at: moment)
            if let zone = room.zone.flatMap({ house.zone($0) }) { publish(zone, at: moment) }
        case .roomRemoved(let room): remove(.room(room.topicLevel), RoomFields.names)
        case .troubles: announceHouse()
        case .depths: publishDepths(at: moment)
        case .announcements: publishAnnouncements()
        case .alarms:
            for id in alarms.compactMap(\.id) where house.alarm(id) == nil {
                remove(.alarm(id), AlarmFields.names)
            }
            publishAlarms()
        case .queue, .library: break
        }
        if house.labels != labels {
            isHouseStale = true
            publishAlarms()
            for room in house.rooms { publish(room, at: moment) }
        }
        return takeMessages()
    }

    /// Returns the positions whose time has come.
    mutating func tick(at moment: Moment) -> [MQTTMessage] {
        for (zone, deadline) in waiting where deadline <= moment.instant {
            waiting[zone] = nil
            if let zone = house.zone(zone) { publish(zone, at: moment) }
        }
        return takeMessages()
    }

    /// Whether a retained topic is one of those that the house has.
    func owns(_ topic: String) -> Bool { sent[topic] != nil }

    /// Returns the messages that remove the topics of a zone, room or alarm; empty if the house still has it.
    func removal(of target: TopicScheme.Target) -> [MQTTMessage] {
        let names: [String]
        switch target {
        case .zone(let id):
            guard house.zone(id) == nil else { return [] }
            names = ZoneFields.names
        case .room(let level):
            guard house.levels[level] == nil else { return [] }
            names = RoomFields.names
        case .alarm(let id):
            guard house.alarm(id) == nil else { return [] }
            names = AlarmFields.names
        }
        return names.map { MQTTMessage(topic: scheme.topic(target, $0), payload: [], isRetained: true) }
    }

    // MARK: Zones

    private mutating func publish(_ zone: ZoneSnapshot, at moment: Moment) {
        let target = TopicScheme.Target.zone(zone.id)
        if isRenamed(target, [zone.name]) {
            for entity in discovery?.entities(of: zone) ?? [] { put(entity) }
        }
        let fields = ZoneFields(zone: zone, house: house)
        for (name, text) in fields.values { put(scheme.topic(target, name), text) }
        publishDepth(house.depth(of: zone), of: target, at: moment)
        let isChanged = isNew(fields.object.hashValue, for: scheme.topic(target, "state"))
        let deadline = positions[zone.id].map { $0.deadline(for: zone, at: moment) } ?? moment.instant
        let isPositionDue = deadline.map { $0 <= moment.instant } ?? false
        // Only an unexpected position needs a timer: depths come while a zone plays.
        let isSoon = deadline.map { $0 < moment.instant + PublishedPosition.shortest } ?? false
        waiting[zone.id] = !isPositionDue && isSoon ? deadline : nil
        guard isChanged || isPositionDue else { return }
        let position = PublishedPosition(zone, at: moment)
        var object = fields.object
        object["position"] = .number(position.position, decimals: 2)
        object["positionTime"] = .number(position.time, decimals: 3)
        object["depth"] = .number(house.depth(of: zone), decimals: 1)
        append(scheme.topic(target, "state"), object.tree.encoded)
        guard isPositionDue else { return }
        positions[zone.id] = position
        put(scheme.topic(target, ZoneFields.position), Decimals.text(position.position, 2))
        put(scheme.topic(target, ZoneFields.positionTime), Decimals.text(position.time, 3))
    }

    // MARK: Rooms

    private mutating func publish(_ room: RoomSnapshot, at moment: Moment) {
        let target = TopicScheme.Target.room(room.id.topicLevel)
        guard house.levels[room.id.topicLevel] == room.id else { return }
        if isRenamed(target, [room.name, room.model ?? ""] + house.labels.options) {
            for entity in discovery?.entities(of: room, options: house.labels.options) ?? [] { put(entity) }
        }
        let fields = RoomFields(room: room, house: house)
        for (name, text) in fields.values { put(scheme.topic(target, name), text) }
        publishDepth(house.depth(of: room.id), of: target, at: moment)
        guard isNew(fields.object.hashValue, for: scheme.topic(target, "state")) else { return }
        var object = fields.object
        object["depth"] = .number(house.depth(of: room.id), decimals: 1)
        append(scheme.topic(target, "state"), object.tree.encoded)
    }

    // MARK: Announcements and alarms

    private mutating func publishAnnouncements() {
        let list = house.announcements.map { announcement in
            JSONTree.object([
                "id": .number(Double(announcement.id.rawValue)), "title": .text(announcement.title),
                "state": .text(announcement.state.rawValue),
                "rooms": .texts(announcement.rooms.map(\.topicLevel)),
                "volume": .number(announcement.volume, decimals: 1),
                "pausesMusic": .bool(announcement.pausesMusic),
            ])
        }
        put(scheme.topic("announcements"), JSONTree.list(list).encoded)
    }

    private mutating func publishAlarms() {
        for alarm in house.alarms {
            guard let id = alarm.id else { continue }
            let target = TopicScheme.Target.alarm(id)
            let fields = AlarmFields(alarm: alarm, house: house)
            if isRenamed(target, [fields.name]) {
                for entity in discovery?.entities(of: id, named: fields.name) ?? [] { put(entity) }
            }
            for (name, text) in fields.values { put(scheme.topic(target, name), text) }
            put(scheme.topic(target, "state"), fields.object.tree.encoded)
        }
    }

    // MARK: Depths

    private mutating func publishDepths(at moment: Moment) {
        for room in house.rooms where house.levels[room.id.topicLevel] == room.id {
            publishDepth(house.depth(of: room.id), of: .room(room.id.topicLevel), at: moment)
        }
        for zone in house.zones {
            publishDepth(house.depth(of: zone), of: .zone(zone.id), at: moment)
            let deadline = positions[zone.id].flatMap { $0.deadline(for: zone, at: moment) }
            if let deadline, deadline <= moment.instant { publish(zone, at: moment) }
        }
    }

    /// Publishes a depth if it is due, or at once if there is no session.
    private mutating func publishDepth(_ seconds: Double, of target: TopicScheme.Target, at moment: Moment) {
        if let last = depthTimes[target], seconds > 0, moment.instant < last + Self.depthInterval { return }
        if put(scheme.topic(target, ZoneFields.depth), Decimals.text(seconds, 1)) {
            depthTimes[target] = moment.instant
        }
    }

    // MARK: The house

    private mutating func announceHouse() {
        isHouseStale = false
        var object = about
        object["zones"] = .list(
            house.zones.map { .object(["id": .number(Double($0.id.rawValue)), "name": .text($0.name)]) })
        object["rooms"] = .list(
            house.rooms.map { .object(["id": .text($0.id.topicLevel), "name": .text($0.name)]) })
        object["troubles"] = .texts(house.troubles.map(\.message))
        put(scheme.topic("state"), object.tree.encoded)
        put(scheme.topic("trouble"), house.troubles.map(\.message).joined(separator: " "))
        for entity in discovery?.houseEntities ?? [] { put(entity) }
    }

    // MARK: Topics

    /// Returns whether the words of a target differ from those announced last, and notes them.
    private mutating func isRenamed(_ target: TopicScheme.Target, _ words: [String]) -> Bool {
        let new = words.hashValue
        guard announced[target] != new else { return false }
        announced[target] = new
        isHouseStale = true
        return true
    }

    private mutating func isNew(_ hash: Int, for topic: String) -> Bool {
        defer { sent[topic] = hash }
        return sent[topic] != hash
    }

    private mutating func put(_ entity: DiscoveryEntity) { put(entity.topic, entity.payload) }

    @discardableResult
    private mutating func put(_ topic: String, _ text: String) -> Bool { put(topic, Array(text.utf8)) }

    /// Publishes a state if the broker has another one.
    ///
    /// - Returns: Whether it had another one.
    @discardableResult
    private mutating func put(_ topic: String, _ payload: [UInt8]) -> Bool {
        guard isNew(payload.hashValue, for: topic) else { return false }
        append(topic, payload)
        return true
    }

    private mutating func append(_ topic: String, _ payload: [UInt8]) {
        messages.append(MQTTMessage(topic: topic, payload: payload, isRetained: true))
    }

    /// Removes all topics of a zone or room, and its announcement.
    private mutating func remove(_ target: TopicScheme.Target, _ names: [String]) {
        let entities = discovery.map { $0.topics(of: target) } ?? []
        // First the announcement, or Home Assistant would complain of empty states.
        for topic in entities + names.map({ scheme.topic(target, $0) })
        where sent.removeValue(forKey: topic) != nil {
            append(topic, [])
        }
        (announced[target], depthTimes[target]) = (nil, nil)
        if case .zone(let id) = target { (positions[id], waiting[id]) = (nil, nil) }
        isHouseStale = true
    }

    private mutating func takeMessages() -> [MQTTMessage] {
        if isHouseStale { announceHouse() }
        defer { messages = [] }
        return messages
    }
}

extension [String: JSONTree] {
    /// The members as an object.
    var tree: JSONTree { .object(self) }
}
