import TuttiMediaTime

/// The reachable outputs, including those that vanished less than ``patience`` ago. A value.
///
/// Debounces lost announcements: a speaker that is missing for a second is not gone.
struct RouteSightings: Sendable {
    /// Time for which a vanished output still counts.
    static let patience = Duration.seconds(10)

    private var present: Set<String> = []
    /// The expiry of each vanished output.
    private var vanished: [String: HostTime] = [:]

    /// Replaces the present outputs; outputs missing from `ids` start to expire.
    mutating func see(_ ids: Set<String>, at now: HostTime) {
        for id in present.subtracting(ids) { vanished[id] = now.advanced(by: Self.patience) }
        for id in ids { vanished[id] = nil }
        present = ids
        forget(at: now)
    }

    /// Removes expired outputs.
    mutating func forget(at now: HostTime) { vanished = vanished.filter { $0.value > now } }

    var count: Int { present.count + vanished.count }

    /// The next expiry; `nil` without vanished outputs.
    var nextChange: HostTime? { vanished.values.min() }
}
