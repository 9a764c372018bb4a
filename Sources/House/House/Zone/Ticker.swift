/// The times at which the house looks at the clock: twice a second while a zone has rooms or a timer. Belongs to the
/// house's actor.
final class Ticker {
    private static let interval = 0.5

    private let zones: ZoneRegistry
    private let store: HouseStore
    private let timer: HouseTimer

    init(_ environment: HouseEnvironment, zones: ZoneRegistry) {
        (self.zones, store) = (zones, environment.store)
        timer = HouseTimer(.tick, environment.tasks)
    }

    private var isNeeded: Bool {
        store.isBehind
            || zones.all.values.contains { $0.isOpen || $0.stored.sleep.map { $0 != .endOfTrack } ?? false }
    }

    /// Looks at the clock from now on, if there is a reason. To be called after each change of a zone or a room.
    func start() {
        if !timer.isSet, isNeeded { timer.set(after: Self.interval) }
    }

    /// Looks at the clock again, as long as there is a reason.
    func next() { timer.set(after: isNeeded ? Self.interval : nil) }

    func stop() { timer.set(after: nil) }
}
