import TuttiHouse
import TuttiMusicLibrary

/// A zone in the interface's JSON: the synthesized form, but the sleep timer as `{"at": …}` or `{"endOfTrack": true}`.
struct ZoneJSON: Encodable {
    let zone: ZoneSnapshot

    private enum Key: CodingKey { case sleep }

    func encode(to encoder: any Encoder) throws {
        var plain = zone
        plain.sleep = nil
        try plain.encode(to: encoder)
        guard let sleep = zone.sleep else { return }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(SleepJSON(sleep), forKey: .sleep)
    }
}

/// A sleep timer in the interface's JSON.
struct SleepJSON: Encodable {
    private var at: Double?
    private var endOfTrack: Bool?

    init(_ timer: SleepTimer) {
        switch timer {
        case .at(let time): at = time
        case .endOfTrack: endOfTrack = true
        }
    }
}

/// The house in the interface's JSON.
struct HouseJSON: Encodable {
    let revision: UInt64
    let time: Double
    let zones: [ZoneJSON]
    let rooms: [RoomSnapshot]
    let library: LibraryState
    let troubles: [Trouble]
    let announcements: [AnnouncementSnapshot]
    let alarms: [AlarmJSON]

    init(_ house: HouseSnapshot) {
        (revision, time) = (house.revision, house.time)
        zones = house.zones.map(ZoneJSON.init)
        (rooms, library, troubles) = (house.rooms, house.library, house.troubles)
        announcements = house.announcements
        alarms = house.alarms.map(AlarmJSON.init)
    }
}

/// An alarm in the interface's JSON: the synthesized form, but the days in their order.
struct AlarmJSON: Encodable {
    let alarm: Alarm

    private enum Key: CodingKey { case days }

    func encode(to encoder: any Encoder) throws {
        var plain = alarm
        plain.days = []
        try plain.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Alarm.Weekday.allCases.filter(alarm.days.contains), forKey: .days)
    }
}

/// The effect of a command in the interface's JSON.
struct OutcomeJSON: Encodable {
    let revision: UInt64
    let zone: ZoneID?
    let entries: [EntryID]?
    let announcement: AnnouncementID?
    let alarm: AlarmID?

    init(_ outcome: CommandOutcome) {
        (revision, zone) = (outcome.revision, outcome.zone)
        entries = outcome.entries.isEmpty ? nil : outcome.entries
        (announcement, alarm) = (outcome.announcement, outcome.alarm)
    }
}
