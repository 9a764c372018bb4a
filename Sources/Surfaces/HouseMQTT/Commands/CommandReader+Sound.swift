import Foundation
import TuttiHouse
import TuttiMusicLibrary

/// Announcements, alarms and equalisers. Their JSON is that of the HTTP interface.
extension CommandReader {
    func houseCommand(_ word: String, _ payload: CommandPayload) throws(Refusal) -> HouseCommand {
        switch word {
        case "announce": return try announce(payload, in: nil)
        case "cancel":
            let number = payload.number("id").flatMap { Int(exactly: $0) }
            guard let number else { throw refusal(word, payload, "the number of an announcement") }
            return .cancelAnnouncement(AnnouncementID(rawValue: number))
        case "alarm":
            let body: AlarmPayload? = decoded(payload)
            guard let body else { throw refusal(word, payload, AlarmPayload.form) }
            return .setAlarm(body.alarm)
        default: throw unknown(word, "house", HouseCommandWord.allCases.map(\.rawValue))
        }
    }

    func alarm(_ id: AlarmID) throws(Refusal) -> Alarm {
        guard let alarm = house.alarm(id) else { throw Refusal(sentence: "There is no alarm \(id).") }
        return alarm
    }

    func command(
        _ word: String, _ alarm: Alarm, _ payload: CommandPayload
    ) throws(Refusal) -> HouseCommand {
        switch word {
        case "on":
            guard let isOn = payload.flag("on") else { throw refusal(word, payload, "“on” or “off”") }
            var changed = alarm
            changed.isOn = isOn
            return .setAlarm(changed)
        case "remove":
            guard let id = alarm.id else { throw Refusal(sentence: "There is no such alarm.") }
            return .removeAlarm(id)
        default: throw unknown(word, "alarm", Self.alarmWords)
        }
    }

    func announce(_ payload: CommandPayload, inRoomsOf zone: ZoneID) throws(Refusal) -> HouseCommand {
        let rooms = house.zone(zone)?.rooms ?? []
        // An empty list would mean all rooms of the house.
        guard !rooms.isEmpty else {
            throw Refusal(
                sentence: "The zone has no room, so nobody would hear the announcement. Add a room first.")
        }
        return try announce(payload, in: rooms)
    }

    /// - Parameter rooms: The rooms of the topic; `nil` for those of the payload.
    func announce(_ payload: CommandPayload, in rooms: [RoomID]?) throws(Refusal) -> HouseCommand {
        let form =
            "a path in the library, a web address, or JSON such as {\"location\": \"http://…\", \"volume\": 40}"
        guard payload.text.hasPrefix("{") else {
            guard !payload.text.isEmpty, payload.bytes.count <= 8_192 else {
                throw refusal("announce", payload, form)
            }
            return .announce(AnnouncementRequest(location: payload.text, rooms: rooms ?? []))
        }
        let body: AnnouncePayload? = decoded(payload)
        guard let body else { throw refusal("announce", payload, form) }
        let named = (body.rooms ?? []).map { house.levels[$0] ?? RoomID(rawValue: $0) }
        return .announce(
            AnnouncementRequest(
                location: body.location, title: body.title, rooms: rooms ?? named, volume: body.volume,
                pausesMusic: body.pausesMusic ?? false))
    }

    func equalizer(_ payload: CommandPayload, of room: RoomID) throws(Refusal) -> HouseCommand {
        switch payload.text.lowercased() {
        case "off", "null": return .setRoomEqualizer(room, nil)
        case let word:
            if let preset = Equalizer.preset(named: word) { return .setRoomEqualizer(room, preset) }
        }
        if let gains: [Double] = decoded(payload) { return .setRoomEqualizer(room, Equalizer(gains: gains)) }
        if let members = payload.object([Double]?.self), let gains = members["gains"] {
            return .setRoomEqualizer(room, gains.map(Equalizer.init))
        }
        if let name = payload.object(String.self)?["preset"], let preset = Equalizer.preset(named: name) {
            return .setRoomEqualizer(room, preset)
        }
        let names = Equalizer.presets.map(\.name).joined(separator: ", ")
        throw refusal("equalizer", payload, "ten numbers in JSON, \(names) or off")
    }

    private func decoded<Value: Decodable>(_ payload: CommandPayload) -> Value? {
        // The caller's sentence names the form that is expected.
        try? JSONDecoder().decode(Value.self, from: Data(payload.bytes))
    }
}

/// An announcement, given by the location of its sound.
private struct AnnouncePayload: Decodable {
    let location: String
    let title: String?
    let rooms: [String]?
    let volume: Double?
    let pausesMusic: Bool?
}

/// An alarm; everything except zone and time may be missing.
private struct AlarmPayload: Decodable {
    static let form = "JSON such as {\"zone\": 1, \"minute\": 390, \"days\": [\"monday\"], \"volume\": 30}"

    let alarm: Alarm

    private enum CodingKeys: CodingKey { case id, zone, minute, days, items, volume, fadeSeconds, isOn }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        alarm = Alarm(
            id: try container.decodeIfPresent(AlarmID.self, forKey: .id),
            zone: try container.decode(ZoneID.self, forKey: .zone),
            minute: try container.decode(Int.self, forKey: .minute),
            days: Set(try container.decodeIfPresent([Alarm.Weekday].self, forKey: .days) ?? []),
            items: try container.decodeIfPresent([LibraryItem].self, forKey: .items) ?? [],
            volume: try container.decodeIfPresent(Double.self, forKey: .volume),
            fadeSeconds: try container.decodeIfPresent(Double.self, forKey: .fadeSeconds) ?? 0,
            isOn: try container.decodeIfPresent(Bool.self, forKey: .isOn) ?? true)
    }
}
