import Foundation
import TuttiMusicLibrary

/// The log's words for commands, with the names that zones and rooms have now; never with a password.
struct CommandWords {
    /// The most characters of a name or an address in the log.
    private static let wordLimit = 200

    let zones: [ZoneID: Zone]
    let rooms: [RoomID: Room]

    /// Describes a command.
    func words(_ command: HouseCommand) -> String {
        switch command {
        case .play(let zone): "play \(name(zone))"
        case .pause(let zone): "pause \(name(zone))"
        case .toggle(let zone): "play or pause \(name(zone))"
        case .stop(let zone): "stop \(name(zone))"
        case .next(let zone): "next track in \(name(zone))"
        case .previous(let zone): "previous track in \(name(zone))"
        case .seek(let zone, let seconds): "go to \(number(seconds)) s in \(name(zone))"
        case .skip(let zone, let seconds): "skip \(number(seconds)) s in \(name(zone))"
        case .setRate(let zone, _), .setShuffle(let zone, _), .setRepeat(let zone, _), .sleep(let zone, _),
            .sleepAtEndOfTrack(let zone), .setZoneVolume(let zone, _), .setLevelling(let zone, _),
            .setCrossfade(let zone, _), .setSleepFade(let zone, _):
            words(ofSetting: command, in: name(zone))
        case .add(let zone, let items, let place): "\(words(place, words(items))) in \(name(zone))"
        case .jump(let zone, let entry): "play \(title(entry, in: zone)) in \(name(zone))"
        case .remove(let zone, let entries): "remove \(words(entries, in: zone)) in \(name(zone))"
        case .move(let zone, let entries, _): "move \(words(entries, in: zone)) in \(name(zone))"
        case .clear(let zone): "clear \(name(zone))"
        case .makeZone(let name, let rooms): words(ofNew: Self.quote(name), rooms)
        case .renameZone(let zone, let new): "name \(name(zone)) \(Self.quote(new))"
        case .removeZone(let zone): "remove \(name(zone))"
        case .moveRoom(let room, let zone?): "move \(name(room)) to \(name(zone))"
        case .moveRoom(let room, nil): "take \(name(room)) out of its zone"
        case .transfer(let zone, let target): "move playback of \(name(zone)) to \(name(target))"
        case .setRoomVolume(let room, _), .setRoomDelay(let room, _), .setRoomPassword(let room, _),
            .forgetRoom(let room), .setRoomEqualizer(let room, _), .setRoomMaximumVolume(let room, _),
            .setRoomNightMode(let room, _):
            words(ofSetting: command, of: name(room))
        case .playInput(let zone, let input): "play the input \(Self.quote(input)) in \(name(zone))"
        case .announce(let request): words(request)
        case .cancelAnnouncement(let id): "cancel announcement \(id)"
        case .setAlarm(let alarm): words(alarm)
        case .removeAlarm(let id): "remove alarm \(id)"
        }
    }

    private func words(ofSetting command: HouseCommand, in zone: String) -> String {
        switch command {
        case .setRate(_, let rate): "rate \(number(rate)) in \(zone)"
        case .setShuffle(_, let isOn): "shuffle \(isOn ? "on" : "off") in \(zone)"
        case .setRepeat(_, let mode): "repeat \(mode.rawValue) in \(zone)"
        case .sleep(_, let seconds?): "sleep timer of \(number(seconds)) s in \(zone)"
        case .sleep(_, nil): "no sleep timer in \(zone)"
        case .sleepAtEndOfTrack: "sleep at the end of the track in \(zone)"
        case .setZoneVolume(_, let percent): "volume \(number(percent)) % in \(zone)"
        case .setLevelling(_, let levelling): "levelling \(levelling.rawValue) in \(zone)"
        case .setCrossfade(_, let seconds): "crossfade of \(number(seconds)) s in \(zone)"
        case .setSleepFade(_, let seconds): "fade-out of \(number(seconds)) s of the sleep timer in \(zone)"
        default: zone
        }
    }

    private func words(ofSetting command: HouseCommand, of room: String) -> String {
        switch command {
        case .setRoomVolume(_, let percent): "volume \(number(percent)) % of \(room)"
        case .setRoomDelay(_, let milliseconds): "delay \(number(milliseconds)) ms of \(room)"
        case .setRoomPassword: "password of \(room)"
        case .forgetRoom: "forget \(room)"
        case .setRoomEqualizer(_, let equalizer): "equaliser \(equalizer == nil ? "off" : "on") in \(room)"
        case .setRoomMaximumVolume(_, let percent): "maximum volume \(number(percent)) % of \(room)"
        case .setRoomNightMode(_, let isOn): "night mode \(isOn ? "on" : "off") in \(room)"
        default: room
        }
    }

    private func name(_ zone: ZoneID) -> String {
        zones[zone].map { Self.quote($0.stored.name) } ?? "zone \(zone)"
    }

    private func name(_ room: RoomID) -> String {
        Self.quote(rooms[room]?.stored.name ?? room.rawValue)
    }

    private func title(_ entry: EntryID, in zone: ZoneID) -> String {
        guard let track = zones[zone]?.queue.entry(entry)?.track else { return "entry \(entry)" }
        return Self.quote(track.title)
    }

    private func words(_ request: AnnouncementRequest) -> String {
        let what = request.title.map(Self.quote) ?? Self.location(request.location)
        guard !request.rooms.isEmpty else { return "announce \(what)" }
        let rooms = Self.list(request.rooms.lazy.map { self.name($0) }, count: request.rooms.count)
        return "announce \(what) in \(rooms)"
    }

    private func words(_ alarm: Alarm) -> String {
        "alarm at \(alarm.clock)\(alarm.isOn ? "" : ", off,") in \(name(alarm.zone))"
    }

    private func words(ofNew zone: String, _ rooms: [RoomID]) -> String {
        guard !rooms.isEmpty else { return "new zone \(zone)" }
        return "new zone \(zone) with \(Self.list(rooms.lazy.map { self.name($0) }, count: rooms.count))"
    }

    private func words(_ entries: [EntryID], in zone: ZoneID) -> String {
        Self.list(entries.lazy.map { self.title($0, in: zone) }, count: entries.count)
    }

    private func words(_ place: QueuePlace, _ items: String) -> String {
        switch place {
        case .end: "add \(items)"
        case .next: "add \(items) as next"
        case .before: "insert \(items)"
        case .now: "add \(items) and play"
        case .replace: "play \(items) instead"
        }
    }

    private func words(_ items: [LibraryItem]) -> String {
        let names = items.lazy.map { item in
            switch item {
            case .track(let id): "track \(id)"
            case .album(let id): "album \(id)"
            case .artist(let id): "artist \(id)"
            case .folder(let path): Self.location(path)
            case .playlist(let id): "playlist \(id)"
            case .station(let id): "station \(id)"
            case .location(let location): Self.location(location)
            }
        }
        return Self.list(names, count: items.count)
    }

    /// The first three of `count` names.
    private static func list(_ names: some Sequence<String>, count: Int) -> String {
        names.prefix(3).joined(separator: ", ") + (count > 3 ? " and \(count - 3) more" : "")
    }

    private static func quote(_ name: String) -> String { "“\(name.prefix(wordLimit))”" }

    /// At most three digits after the point.
    private func number(_ value: Double) -> String {
        let text = "\((value * 1000).rounded() / 1000)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Returns a path or an address without its user, password and query, which may be secret.
    static func location(_ text: String) -> String {
        guard text.contains("://") else {
            // An address without its scheme may have secrets as well.
            let isPath = text.hasPrefix("/") || !text.contains { $0 == "@" || $0 == "?" }
            return String((isPath ? text : "an address").prefix(wordLimit))
        }
        guard var parts = URLComponents(string: text) else { return "an address" }
        (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
        parts.query = parts.query == nil ? nil : "…"
        return String((parts.string?.removingPercentEncoding ?? "an address").prefix(wordLimit))
    }
}

extension CommandOrigin: CustomStringConvertible {
    /// The surface and the author.
    public var description: String { author.map { "\(surface) (\($0))" } ?? surface }
}
