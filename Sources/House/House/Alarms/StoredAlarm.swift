import Foundation

/// An alarm as it is stored.
struct StoredAlarm: Sendable, Equatable {
    /// The identity, which the alarm has too.
    let id: AlarmID
    var alarm: Alarm
    /// The Unix time from which on it rings: when it was set, or when it rang last.
    var since: Double
    /// The moment at which it rang last, as it was planned.
    var rung: Double?

    /// - Parameter alarm: With or without an identity.
    init(id: AlarmID, _ alarm: Alarm, since: Double, rung: Double? = nil) {
        (self.id, self.alarm, self.since, self.rung) = (id, alarm, since, rung)
        self.alarm.id = id
    }

    /// Returns the moment to ring next; `nil` for an alarm that is off.
    ///
    /// - Parameter now: A clock that was put back lets the alarm ring at times that come again, but at no moment twice.
    func next(at now: Double, in time: LocalTime) -> Double? {
        guard alarm.isOn else { return nil }
        return next(after: min(since, now), in: time)
    }

    private func next(after start: Double, in time: LocalTime) -> Double? {
        let schedule = AlarmSchedule(alarm)
        guard let next = schedule.next(after: start, in: time), next == rung else {
            return schedule.next(after: start, in: time)
        }
        return schedule.next(after: next, in: time)
    }

    /// Takes the moment that has come, so that it comes no more. An alarm that rings once is off then.
    ///
    /// - Parameter patience: Seconds in which a moment is not missed: the caller lets the alarm ring.
    /// - Returns: The moment, which may be missed; `nil` if none has come.
    mutating func take(at now: Double, in time: LocalTime, patience: Double) -> Double? {
        guard var moment = next(at: now, in: time), moment <= now else { return nil }
        // Days may have been missed before this one.
        if !alarm.days.isEmpty, now - moment > patience,
            let later = next(after: now - patience - 1, in: time), later <= now
        {
            moment = later
        }
        (since, rung) = (now, moment)
        if alarm.days.isEmpty { alarm.isOn = false }
        return moment
    }

    /// Returns the bytes of an alarm's stored form; one that cannot be stored is larger than any limit.
    static func size(of alarm: Alarm) -> Int { (try? JSONEncoder().encode(alarm).count) ?? .max }
}
