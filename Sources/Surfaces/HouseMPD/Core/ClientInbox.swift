import TuttiHouse

/// Events and messages for a client, and the events that it waits for. A value behind a lock.
struct ClientInbox: Sendable {
    /// The most messages that wait for a client, as in MPD.
    static let messageLimit = 64
    /// The most channels of a client, as in MPD.
    static let channelLimit = 16

    /// The zone that the client controls.
    var zone: ZoneID
    var channels: Set<String> = []
    private(set) var messages: [(channel: String, text: String)] = []
    private var pending: IdleEvents = []
    private var wanted: IdleEvents?

    init(zone: ZoneID) { self.zone = zone }

    /// Whether the client waits for events.
    var isIdle: Bool { wanted != nil }

    /// Notes events. Returns the answer to a client that waits for one of them.
    mutating func add(_ events: IdleEvents) -> IdleEvents? {
        pending.formUnion(events)
        return wanted.flatMap { answer($0) }
    }

    /// Begins to wait. Returns the answer if one of the events has happened already.
    mutating func wait(for events: IdleEvents) -> IdleEvents? {
        wanted = events
        return answer(events)
    }

    /// Ends the waiting; returns whether there was one.
    mutating func endWait() -> Bool { wanted.take() != nil }

    private mutating func answer(_ events: IdleEvents) -> IdleEvents? {
        let found = pending.intersection(events)
        guard !found.isEmpty else { return nil }
        pending.subtract(found)
        wanted = nil
        return found
    }

    /// Changes to another zone, and counts all of its state as changed. A client that waits is not answered.
    mutating func move(to new: ZoneID) {
        guard new != zone else { return }
        zone = new
        // Includes all events that the zone before can have left.
        pending.formUnion(.ofZone)
    }

    /// Keeps a message; returns `false` if the client reads none.
    mutating func add(message: String, channel: String) -> Bool {
        guard channels.contains(channel), messages.count < Self.messageLimit else { return false }
        messages.append((channel, message))
        return true
    }

    mutating func takeMessages() -> [(channel: String, text: String)] {
        defer { messages = [] }
        return messages
    }
}
