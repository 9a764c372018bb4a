import TuttiHouse
import TuttiMQTT

/// The reason why a message is not a command, and the topic for its sender.
struct CommandProblem: Error, Hashable, Sendable {
    /// The topic for the sentence.
    let topic: String
    /// A sentence for the user.
    let sentence: String
}

/// The meaning of messages on the topics `…/set`. The names of commands are those of the HTTP interface.
struct CommandReader {
    let scheme: TopicScheme
    let house: HouseMirror

    /// The topic for errors of a target: its own if the house knows it.
    static func errorTopic(_ target: TopicScheme.Target, _ scheme: TopicScheme, _ house: HouseMirror)
        -> String
    {
        let isKnown =
            switch target {
            case .zone(let id): house.zone(id) != nil
            case .room(let level): house.levels[level] != nil
            case .alarm(let id): house.alarm(id) != nil
            }
        return isKnown ? scheme.topic(target, "error") : scheme.error
    }

    /// Returns the command of a message.
    func read(_ message: MQTTMessage) throws(CommandProblem) -> (command: HouseCommand, errors: String) {
        let word = scheme.houseCommand(message.topic)
        let place = word == nil ? scheme.parse(message.topic) : nil
        guard word != nil || place?.rest.hasSuffix("/set") == true else {
            throw CommandProblem(topic: scheme.error, sentence: "There is no such zone, room or alarm.")
        }
        let errors = place.map { Self.errorTopic($0.target, scheme, house) } ?? scheme.error
        let shown = CommandPayload(Array((place?.rest ?? word ?? "").utf8)).excerpt
        guard !message.isRetained else {
            throw CommandProblem(
                topic: errors,
                sentence: "\(shown): a command must not be retained, or it would be carried out again later.")
        }
        let payload = CommandPayload(message.payload)
        do throws(Refusal) {
            if let word { return (try houseCommand(word, payload), errors) }
            guard let (target, rest) = place else { throw Refusal(sentence: "There is no such command.") }
            return (try command(String(rest.dropLast("/set".count)), target, payload), errors)
        } catch {
            throw CommandProblem(topic: errors, sentence: error.sentence)
        }
    }

    private func command(
        _ word: String, _ target: TopicScheme.Target, _ payload: CommandPayload
    ) throws(Refusal) -> HouseCommand {
        switch target {
        case .zone(let id): try command(word, zone(id), payload)
        case .room(let level): try command(word, room(level), payload)
        case .alarm(let id): try command(word, alarm(id), payload)
        }
    }

    struct Refusal: Error {
        let sentence: String
    }

    private func zone(_ id: ZoneID) throws(Refusal) -> ZoneID {
        guard house.zone(id) != nil else { throw Refusal(sentence: "There is no zone \(id).") }
        return id
    }

    private func room(_ level: String) throws(Refusal) -> RoomID {
        guard let id = house.levels[level] else {
            throw Refusal(sentence: "There is no room “\(CommandPayload(Array(level.utf8)).excerpt)”.")
        }
        return id
    }

    private func command(_ word: String, _ zone: ZoneID, _ payload: CommandPayload) throws(Refusal)
        -> HouseCommand
    {
        if let command = try playback(word, zone, payload) { return command }
        switch word {
        case "volume": return .setZoneVolume(zone, try number(word, "percent", payload))
        case "sleep": return try sleep(zone, payload)
        case "queue", "add":
            guard let body = try? AddPayload(payload) else { throw refusal(word, payload, AddPayload.form) }
            return .add(zone, body.items, body.place)
        case "transfer":
            let target = payload.number("to").flatMap { Int(exactly: $0) }
            guard let target else { throw refusal(word, payload, "the number of a zone") }
            return .transfer(zone, to: ZoneID(rawValue: target))
        case "levelling":
            let mode = payload.word("mode").flatMap { VolumeLevelling(rawValue: $0.lowercased()) }
            guard let mode else { throw refusal(word, payload, "“off”, “track” or “album”") }
            return .setLevelling(zone, mode)
        case "crossfade": return .setCrossfade(zone, seconds: try number(word, "seconds", payload))
        case "sleep-fade": return .setSleepFade(zone, seconds: try number(word, "seconds", payload))
        case "input":
            guard let name = payload.word("name"), !name.isEmpty else {
                throw refusal(word, payload, "the name of an input")
            }
            return .playInput(zone, name)
        case "announce": return try announce(payload, inRoomsOf: zone)
        default: throw unknown(word, "zone", Self.zoneWords)
        }
    }

    /// Returns a command for what a zone plays of its queue, and how; `nil` for any other word.
    private func playback(
        _ word: String, _ zone: ZoneID, _ payload: CommandPayload
    ) throws(Refusal) -> HouseCommand? {
        switch word {
        case "play": return .play(zone)
        case "pause": return .pause(zone)
        case "toggle": return .toggle(zone)
        case "stop": return .stop(zone)
        case "next": return .next(zone)
        case "previous": return .previous(zone)
        case "position", "seek": return try position(word, zone, payload)
        case "rate": return .setRate(zone, try number(word, "rate", payload))
        case "shuffle":
            guard let isOn = payload.flag("on") else { throw refusal(word, payload, "“on” or “off”") }
            return .setShuffle(zone, isOn)
        case "repeat":
            guard let mode = payload.word("mode").flatMap({ RepeatMode(rawValue: $0.lowercased()) }) else {
                throw refusal(word, payload, "“off”, “one” or “all”")
            }
            return .setRepeat(zone, mode)
        default: return nil
        }
    }

    private func command(_ word: String, _ room: RoomID, _ payload: CommandPayload) throws(Refusal)
        -> HouseCommand
    {
        switch word {
        case "volume": return .setRoomVolume(room, try number(word, "percent", payload))
        case "delay": return .setRoomDelay(room, milliseconds: try number(word, "milliseconds", payload))
        case "zone":
            guard let choice = choice(payload) else {
                throw refusal(word, payload, "the number or the name of a zone, or “none”")
            }
            return .moveRoom(room, to: choice.zone)
        case "night":
            guard let isOn = payload.flag("on") else { throw refusal(word, payload, "“on” or “off”") }
            return .setRoomNightMode(room, isOn)
        case "maximum": return .setRoomMaximumVolume(room, try number(word, "percent", payload))
        case "equalizer": return try equalizer(payload, of: room)
        case "announce": return try announce(payload, in: [room])
        default: throw unknown(word, "room", Self.roomWords)
        }
    }

    /// Returns the zone that a room is to belong to; `nil` if the payload names none.
    private func choice(_ payload: CommandPayload) -> ZoneLabels.Choice? {
        if let members = payload.object(Double?.self), let zone = members["zone"], zone == nil {
            return ZoneLabels.Choice.none
        }
        // The label first: it is the only text that Home Assistant sends.
        if let choice = house.labels.choice(for: payload.text) { return choice }
        if let number = payload.number("zone") { return house.labels.choice(for: number) }
        return payload.word("zone").flatMap { house.labels.choice(for: $0) }
    }

    static let zoneWords = [
        "play", "pause", "toggle", "stop", "next", "previous", "position", "rate", "shuffle", "repeat",
        "sleep", "volume", "queue", "transfer", "levelling", "crossfade", "sleep-fade", "input", "announce",
    ]
    static let roomWords = ["volume", "delay", "zone", "night", "maximum", "equalizer", "announce"]
    static let alarmWords = ["on", "remove"]

    // MARK: Values

    private func number(_ word: String, _ key: String, _ payload: CommandPayload) throws(Refusal) -> Double {
        guard let number = payload.number(key) else { throw refusal(word, payload, "a number") }
        return number
    }

    private func position(
        _ word: String, _ zone: ZoneID, _ payload: CommandPayload
    ) throws(Refusal) -> HouseCommand {
        if let seconds = payload.number("seconds") { return .seek(zone, seconds: seconds) }
        if let seconds = payload.number("by") { return .skip(zone, seconds: seconds) }
        throw refusal(word, payload, "seconds, or {\"by\": seconds}")
    }

    private func sleep(_ zone: ZoneID, _ payload: CommandPayload) throws(Refusal) -> HouseCommand {
        if let seconds = payload.number("seconds") {
            return .sleep(zone, afterSeconds: seconds == 0 ? nil : seconds)
        }
        switch payload.text.lowercased() {
        case "off", "none", "": return .sleep(zone, afterSeconds: nil)
        case "endoftrack": return .sleepAtEndOfTrack(zone)
        default: break
        }
        if let flags = payload.object(Bool.self) {
            if flags["endOfTrack"] == true { return .sleepAtEndOfTrack(zone) }
            if flags.isEmpty { return .sleep(zone, afterSeconds: nil) }
        }
        throw refusal("sleep", payload, "seconds, “endOfTrack” or “off”")
    }

    func refusal(_ word: String, _ payload: CommandPayload, _ form: String) -> Refusal {
        Refusal(sentence: "\(word)/set must be \(form), not “\(payload.excerpt)”.")
    }

    func unknown(_ word: String, _ kind: String, _ words: [String]) -> Refusal {
        let shown = CommandPayload(Array(word.utf8)).excerpt
        return Refusal(
            sentence: "A \(kind) has no command “\(shown)”; it has \(words.joined(separator: ", ")).")
    }
}
