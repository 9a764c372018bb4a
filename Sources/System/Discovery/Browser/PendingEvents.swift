/// The events pending for a slow reader, at most one for each service.
///
/// Changes of one service coalesce: the reader always reaches the true state, and the queue is never longer
/// than the number of services reported.
struct PendingEvents: Sendable {
    private var order: [ServiceID] = []
    private var events: [ServiceID: DiscoveryEvent] = [:]

    mutating func append(_ event: DiscoveryEvent) {
        let id = event.service.id
        guard let earlier = events[id] else {
            order.append(id)
            events[id] = event
            return
        }
        if let both = Self.combine(earlier, event) {
            events[id] = both
        } else {
            events[id] = nil
            order.removeAll { $0 == id }
        }
    }

    /// Removes and returns all events, in order.
    mutating func drain() -> [DiscoveryEvent] {
        defer { self = PendingEvents() }
        return order.compactMap { events[$0] }
    }

    /// Coalesces two consecutive events of a service; `nil` if they cancel out.
    private static func combine(_ earlier: DiscoveryEvent, _ later: DiscoveryEvent) -> DiscoveryEvent? {
        switch (earlier, later) {
        case (.appeared, .vanished): nil
        case (.appeared, .appeared(let service)), (.appeared, .updated(let service)): .appeared(service)
        case (.updated, .appeared(let service)), (.updated, .updated(let service)): .updated(service)
        case (.vanished, .appeared(let service)), (.vanished, .updated(let service)): .updated(service)
        case (.updated, .vanished), (.vanished, .vanished): later
        }
    }
}
