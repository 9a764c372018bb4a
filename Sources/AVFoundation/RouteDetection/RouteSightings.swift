import MediaTime

/// Which outputs can be reached, with those that were there a moment ago. A value.
///
/// Announcements get lost, and a speaker that is gone for a second is not gone.
struct RouteSightings: Sendable {
    /// How long an output that has vanished still counts.
    static let patience = Duration.seconds(10)

    private var present: Set<String> = []
    /// Until when the vanished ones count.
    private var vanished: [String: HostTime] = [:]

    /// The outputs that are there now are these.
    mutating func see(_ ids: Set<String>, at now: HostTime) {
        for id in present.subtracting(ids) { vanished[id] = now.advanced(by: Self.patience) }
        for id in ids { vanished[id] = nil }
        present = ids
        forget(at: now)
    }

    /// Lets go of what has been away too long.
    mutating func forget(at now: HostTime) { vanished = vanished.filter { $0.value > now } }

    var count: Int { present.count + vanished.count }

    /// When ``forget(at:)`` has something to do next.
    var nextChange: HostTime? { vanished.values.min() }
}
