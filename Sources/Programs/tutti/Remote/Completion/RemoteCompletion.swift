import TuttiCommandLineInterface

/// The names of the house that complete an argument. A value.
enum RemoteCompletion {
    /// The kinds of names.
    enum Kind: Sendable { case zones, rooms, entries, alarms }

    /// The commands whose first argument is a speaker of the network.
    private static let speakerCommands: Set = ["info", "doctor", "pair"]

    /// The source of the words for an argument.
    enum Wish: Equatable {
        /// The declaration of the command.
        case declared
        case files
        case words([CompletionCandidate])
        /// The speakers of the network.
        case speakers
        /// The paired speakers.
        case paired
        /// Names of the service, and further words.
        case names(Set<Kind>, [CompletionCandidate])
    }

    static func wish(of request: CompletionRequest) -> Wish {
        if let option = request.option {
            let isForSpeakers = option == "to" && ["play", "sink"].contains(request.command)
            return isForSpeakers ? .speakers : wish(ofOption: option)
        }
        let words = request.positionals
        switch (request.command, words.count) {
        case (let command, 0) where speakerCommands.contains(command): return .speakers
        case ("unpair", 0): return .paired
        case ("volume", 0): return .names([.zones, .rooms], [])
        case ("sleep", 0):
            return .words(["15m", "30m", "45m", "1h", "end", "off"].map { CompletionCandidate($0) })
        case ("room", _): return wish(ofRoom: words)
        case ("zone", 1...): return wish(ofZone: words)
        case ("queue", 1...): return wish(ofQueue: words)
        case ("say", 0): return .files
        case ("alarm", 1...): return wish(ofAlarm: words)
        default: return .declared
        }
    }

    private static func wish(ofOption option: String) -> Wish {
        switch option {
        case "zone": .names([.zones], [])
        case "room", "to", "rooms": .names([.rooms], [])
        case "days": .words(AlarmDays.words.map { CompletionCandidate($0) })
        default: .declared
        }
    }

    private static func wish(ofRoom words: [String]) -> Wish {
        let none = CompletionCandidate(RoomCommand.noZone, note: "out of its zone")
        switch (words.first.flatMap(RoomCommand.Action.init), words.count) {
        case (nil, 0):
            return .names([.rooms], RoomCommand.Action.allCases.map { CompletionCandidate($0.rawValue) })
        case (.some, 1): return .names([.rooms], [])
        case (nil, 1), (.move, 2): return .names([.zones], [none])
        case (.equalizer, 2): return .words(EqualizerText.words.map { CompletionCandidate($0) })
        case (.night, 2): return .words(["on", "off"].map { CompletionCandidate($0) })
        default: return .words([])
        }
    }

    private static func wish(ofZone words: [String]) -> Wish {
        switch (ZoneCommand.Action(rawValue: words[0]), words.count) {
        case (.rename, 1), (.remove, 1), (.transfer, 1), (.transfer, 2): .names([.zones], [])
        case (.new, 2...): .names([.rooms], [])
        case (.levelling, 1), (.crossfade, 1), (.sleepFade, 1), (.input, 1): .names([.zones], [])
        case (.levelling, 2): .words(["off", "track", "album"].map { CompletionCandidate($0) })
        default: .words([])
        }
    }

    private static func wish(ofAlarm words: [String]) -> Wish {
        switch (AlarmCommand.Action(rawValue: words[0]), words.count) {
        case (.add, 2...), (.change, 3...): .files
        case (.change, 1), (.remove, 1), (.on, 1), (.off, 1): .names([.alarms], [])
        default: .words([])
        }
    }

    private static func wish(ofQueue words: [String]) -> Wish {
        switch (QueueCommand.Action(rawValue: words[0]), words.count) {
        case (.add, _): .files
        case (.remove, _), (.play, 1), (.move, 1), (.move, 2): .names([.entries], [])
        default: .words([])
        }
    }

    /// Returns the rooms that are speakers of the network.
    static func speakers(of house: RemoteHouse) -> [CompletionCandidate] {
        house.rooms.filter { $0.kind == nil || $0.kind == "airPlay" }.map { CompletionCandidate($0.name) }
    }

    /// Returns the names of some kinds; of entries the titles if a letter is typed, else the numbers.
    static func candidates(
        _ kinds: Set<Kind>, _ house: RemoteHouse, entries: [RemoteZone.Entry], current: String
    ) -> [CompletionCandidate] {
        var found: [CompletionCandidate] = []
        if kinds.contains(.zones) {
            found += house.zones.map { CompletionCandidate($0.name, note: "zone, \($0.state)") }
        }
        if kinds.contains(.rooms) {
            let known = Set(found.map(\.value))
            found += house.rooms.filter { !known.contains($0.name) }.map { room in
                CompletionCandidate(
                    room.name, note: "room" + (house.zone(of: room).map { " of \($0.name)" } ?? ""))
            }
        }
        if kinds.contains(.alarms) {
            found += (house.alarms ?? []).map { alarm in
                CompletionCandidate(
                    "\(alarm.id)", note: TimeText.ofDay(alarm.minute) + (alarm.isOn ? "" : ", off"))
            }
        }
        guard kinds.contains(.entries) else { return found }
        let wantsTitle = current.first.map { !$0.isNumber } ?? false
        return found
            + entries.enumerated().map { index, entry in
                let artist = entry.track.artist.map { " – \($0)" } ?? ""
                return wantsTitle
                    ? CompletionCandidate(entry.track.title, note: "entry \(index + 1)\(artist)")
                    : CompletionCandidate("\(index + 1)", note: entry.track.title + artist)
            }
    }
}
