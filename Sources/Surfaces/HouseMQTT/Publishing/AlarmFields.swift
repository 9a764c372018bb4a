import TuttiHouse
import TuttiMusicLibrary

/// The topics of an alarm with their values.
struct AlarmFields {
    /// The names of all topics that hold a state.
    static let names = ["state", "on"]

    let alarm: Alarm
    let house: HouseMirror

    /// The name for people: `Alarm 6:30 Kitchen`.
    var name: String {
        let (hour, minute) = alarm.minute.quotientAndRemainder(dividingBy: 60)
        let time = "\(hour):\(minute < 10 ? "0" : "")\(minute)"
        return "Alarm \(time) \(house.labels.label(of: alarm.zone))"
    }

    var values: [(name: String, text: String)] { [("on", alarm.isOn ? "on" : "off")] }

    /// The members of the HTTP interface.
    var object: [String: JSONTree] {
        [
            "id": .number(alarm.id.map { Double($0.rawValue) }, decimals: 0),
            "zone": .number(Double(alarm.zone.rawValue)), "minute": .number(Double(alarm.minute)),
            "days": .texts(Alarm.Weekday.allCases.filter(alarm.days.contains).map(\.rawValue)),
            "items": .list(alarm.items.map(Self.tree)), "volume": .number(alarm.volume, decimals: 1),
            "fadeSeconds": .number(alarm.fadeSeconds, decimals: 1), "isOn": .bool(alarm.isOn),
            "name": .text(name),
        ]
    }

    private static func tree(_ item: LibraryItem) -> JSONTree {
        switch item {
        case .track(let id): .object(["track": .number(Double(id))])
        case .album(let id): .object(["album": .number(Double(id))])
        case .artist(let id): .object(["artist": .number(Double(id))])
        case .folder(let path): .object(["folder": .text(path)])
        case .playlist(let id): .object(["playlist": .number(Double(id))])
        case .station(let id): .object(["station": .number(Double(id))])
        case .location(let location): .object(["location": .text(location)])
        }
    }
}
