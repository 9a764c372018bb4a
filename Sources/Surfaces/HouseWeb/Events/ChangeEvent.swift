import TuttiHouse
import TuttiHTTPService

/// The events of the stream, with their names and data.
enum ChangeEvent {
    /// Returns the event of a change.
    ///
    /// - Parameter id: `nil` for an event that a client cannot resume after.
    static func event(of body: HouseChange.Body, id: String?) -> ServerSentEvent {
        switch body {
        case .zone(let zone): event("zone", id, ZoneJSON(zone: zone))
        case .zoneRemoved(let zone): event("zoneRemoved", id, ["zone": zone])
        case .room(let room): event("room", id, room)
        case .roomRemoved(let room): event("roomRemoved", id, ["room": room])
        case .queue(let zone, let revision, let length):
            event("queue", id, QueueJSON(zone: zone, revision: revision, length: length))
        case .library(let summary): event("library", id, summary)
        case .announcements(let list): event("announcements", id, ["announcements": list])
        case .alarms(let alarms): event("alarms", id, ["alarms": alarms.map(AlarmJSON.init)])
        case .troubles(let troubles): event("troubles", id, ["troubles": troubles])
        case .depths(let depths):
            event(
                "depths", nil,
                ["depths": Dictionary(depths.map { ($0.rawValue, $1) }, uniquingKeysWith: { $1 })])
        }
    }

    /// Returns the event with the whole house.
    static func event(of house: HouseSnapshot, id: String) -> ServerSentEvent {
        event("house", id, HouseJSON(house))
    }

    private struct QueueJSON: Encodable {
        let zone: ZoneID
        let revision: UInt64
        let length: Int
    }

    private static func event(_ name: String, _ id: String?, _ data: some Encodable) -> ServerSentEvent {
        ServerSentEvent(name: name, id: id, data: WebJSON.encode(data))
    }
}
