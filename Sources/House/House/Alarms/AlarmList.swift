import TuttiMusicLibrary

/// The alarms of a house, and the moments at which they ring. A value: the `AlarmClock` stores, tells and rings them.
struct AlarmList: Sendable {
    /// A moment to ring that has come.
    struct Due: Sendable {
        var alarm: StoredAlarm
        /// Whether it came too long ago: the service or the machine was off.
        var isMissed: Bool
    }

    /// The most alarms of a house.
    static let limit = 64
    /// The most items of an alarm.
    static let itemLimit = 200
    /// The most bytes of an alarm's stored form.
    private static let sizeLimit = 65_536
    /// Seconds after its moment in which an alarm still rings, such as when the service begins late.
    private static let patience = 300.0
    /// The most seconds between two looks at the clock, since the machine's clock and its time zone may change meanwhile.
    private static let longestSleep = 60.0

    var stored: [AlarmID: StoredAlarm] = [:]
    /// The time zone of alarms.
    var localTime = LocalTime.system

    /// The alarms in the order of their making.
    var ordered: [Alarm] { orderedAlarms.map(\.alarm) }

    private var orderedAlarms: [StoredAlarm] { stored.values.sorted { $0.id.rawValue < $1.id.rawValue } }

    // MARK: Changes

    /// Takes the alarms that were stored.
    mutating func restore(_ alarms: [StoredAlarm]) {
        for alarm in alarms { stored[alarm.id] = alarm }
    }

    /// Refuses an alarm that cannot be set; looks neither at its zone nor for its items.
    func validate(_ alarm: Alarm) throws(HouseError) {
        if let id = alarm.id {
            guard stored[id] != nil else { throw Self.missing(id) }
        } else if stored.count >= Self.limit {
            throw HouseError(.limit, "A house has at most \(Self.limit) alarms; remove one first.")
        }
        guard (0..<1440).contains(alarm.minute) else {
            throw HouseError(.invalid, "The time of an alarm must be a minute of the day, from 0 to 1439.")
        }
        guard alarm.volume.map((0...100).contains) ?? true else {
            throw HouseError(.invalid, "The volume must be between 0 and 100 percent.")
        }
        guard ZoneFade.lengths.contains(alarm.fadeSeconds) else {
            throw HouseError(.invalid, "The fade-in of an alarm must be between 0 and 600 seconds.")
        }
        guard alarm.items.count <= Self.itemLimit, StoredAlarm.size(of: alarm) <= Self.sizeLimit else {
            throw HouseError(
                .limit, "An alarm can have at most \(Self.itemLimit) items; make a playlist from them first.")
        }
    }

    private static func missing(_ id: AlarmID) -> HouseError {
        HouseError(.notFound, "There is no alarm \(id); somebody may have removed it.")
    }

    /// Whether an alarm's items are to be looked for: it has some, and others than before.
    func hasNewItems(_ alarm: Alarm) -> Bool {
        !alarm.items.isEmpty && alarm.items != alarm.id.flatMap { stored[$0]?.alarm.items }
    }

    /// Sets an alarm, or makes a new one if it has no identity.
    ///
    /// - Parameter newID: The identity of a new alarm.
    /// - Returns: The identity, and what is to be stored; `nil` if the alarm is as it was.
    mutating func set(
        _ alarm: Alarm, newID: @autoclosure () -> AlarmID, at time: Double
    ) -> (id: AlarmID, change: StoredAlarm?) {
        let id = alarm.id ?? newID()
        var new = alarm
        new.id = id
        guard stored[id]?.alarm != new else { return (id, nil) }
        let change = StoredAlarm(id: id, new, since: time)
        stored[id] = change
        return (id, change)
    }

    mutating func remove(_ id: AlarmID) throws(HouseError) {
        guard stored.removeValue(forKey: id) != nil else { throw Self.missing(id) }
    }

    /// Removes the alarms of a zone.
    ///
    /// - Returns: Those that there were.
    mutating func remove(of zone: ZoneID) -> [AlarmID] {
        let gone = stored.values.filter { $0.alarm.zone == zone }.map(\.id)
        for id in gone { stored[id] = nil }
        return gone
    }

    // MARK: Time

    /// Returns the seconds until the next look at the clock; `nil` if no alarm is on.
    func delay(at time: Double) -> Double? {
        let next = stored.values.compactMap { $0.next(at: time, in: localTime) }.min()
        return next.map { min(max(0, $0 - time), Self.longestSleep) }
    }

    /// Takes the moments that have come, so that they come no more.
    mutating func takeDue(at time: Double) -> [Due] {
        orderedAlarms.compactMap { alarm in
            var alarm = alarm
            guard let moment = alarm.take(at: time, in: localTime, patience: Self.patience) else {
                return nil
            }
            stored[alarm.id] = alarm
            return Due(alarm: alarm, isMissed: time - moment > Self.patience)
        }
    }
}
