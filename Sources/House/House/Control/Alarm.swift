import TuttiMusicLibrary

/// The identity of an alarm; stays across restarts.
public struct AlarmID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// A positive number.
    public let rawValue: Int

    /// Makes an identity.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The number, in decimal.
    public var description: String { "\(rawValue)" }
}

/// Music that starts automatically at a time of the day.
public struct Alarm: Codable, Hashable, Sendable {
    /// A day of the week.
    public enum Weekday: String, Codable, Sendable, CaseIterable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// The identity; `nil` for a new alarm.
    public var id: AlarmID?
    /// The zone that plays.
    public var zone: ZoneID
    /// Minutes after midnight in this machine's time zone, 0 ..< 1440.
    public var minute: Int
    /// The days on which it rings; empty for once, after which it is off.
    public var days: Set<Weekday>
    /// The music, instead of the zone's queue; empty to continue with the queue.
    public var items: [LibraryItem]
    /// The volume of the zone's rooms in percent; `nil` for the volume that they have.
    public var volume: Double?
    /// Seconds in which the volume rises from nothing, 0 ... 600.
    public var fadeSeconds: Double
    /// Whether it rings.
    public var isOn: Bool

    /// Makes an alarm.
    public init(
        id: AlarmID? = nil, zone: ZoneID, minute: Int, days: Set<Weekday> = [], items: [LibraryItem] = [],
        volume: Double? = nil, fadeSeconds: Double = 0, isOn: Bool = true
    ) {
        (self.id, self.zone, self.minute, self.days, self.items) = (id, zone, minute, days, items)
        (self.volume, self.fadeSeconds, self.isOn) = (volume, fadeSeconds, isOn)
    }
}

extension Alarm {
    /// The time of the day, such as `7:05`.
    var clock: String {
        let (hour, minute) = minute.quotientAndRemainder(dividingBy: 60)
        return minute < 10 ? "\(hour):0\(minute)" : "\(hour):\(minute)"
    }
}
