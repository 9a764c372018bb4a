import Foundation
import TuttiCommandLineInterface

/// The command `tutti alarm`: music that starts automatically.
enum AlarmCommand: RemoteCommand {
    /// The actions.
    enum Action: String, CaseIterable {
        case list, add, change, remove, on, off
    }

    static let declaration = CommandDeclaration(
        name: "alarm",
        summary: "List, make, change and remove alarms",
        examples: [
            CommandExample("tutti alarm add 6:30 --days weekdays", "the queue continues then"),
            CommandExample("tutti alarm off 2", "turns the second alarm off"),
        ],
        discussion: """
            tutti alarm list                    lists the alarms, as 'tutti alarm' does
            tutti alarm add TIME [ITEM...]      makes an alarm at a time such as 6:30, with this music; without
                                                items the zone's queue continues
            tutti alarm change N [TIME] [ITEM...]   changes what is given, also by options
            tutti alarm on N, tutti alarm off N
            tutti alarm remove N

            Items are those of 'tutti queue add'. An alarm without days rings once, and is then off.
            """,
        positionals: [
            PositionalDeclaration(
                name: "ACTION", count: .optional, kind: .choice(Action.allCases.map(\.rawValue)),
                help: "list, add, change, remove, on or off"),
            PositionalDeclaration(name: "WORD", count: .any, help: "Numbers, times and items, as above"),
        ],
        options: [
            RemoteOptions.zone,
            .value("days", "DAYS", .text, "once, daily, weekdays, weekends, or names such as mon,wed"),
            .value("volume", "PERCENT", .text, "The volume of the rooms; 'as-is' for their current volume"),
            .value("fade", "TIME", .text, "The time in which the volume rises, such as 30s or 5m"),
            .flag("queue", "Continue the zone's queue, without items"), RemoteOptions.json,
        ] + RemoteOptions.service)

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        let words = Array(arguments.positionals.dropFirst())
        let action = arguments.positional(0).flatMap(Action.init) ?? .list
        let change = try Change(arguments)
        switch action {
        case .list: try await list(arguments, service)
        case .add:
            guard let minute = words.first.flatMap(TimeText.minute) else {
                throw UsageError("alarm add takes a time such as 6:30, and items")
            }
            let zone = try await service.zone(arguments)
            var alarm = RemoteAlarm(
                id: 0, zone: zone.id, minute: minute, days: [], items: [], fadeSeconds: 0, isOn: true)
            change.apply(to: &alarm)
            let items = try await items(words.dropFirst(), service)
            let data = try await service.ask("POST", "/alarms", Self.body(alarm, items: items))
            try answer(data, arguments)
        case .change:
            var alarm = try await find(words.first, action, service)
            var rest = words.dropFirst()
            if let minute = rest.first.flatMap(TimeText.minute) {
                // One that has rung is off: with a new time it rings again.
                (alarm.minute, alarm.isOn) = (minute, true)
                rest = rest.dropFirst()
            }
            if arguments.value("zone") != nil { alarm.zone = try await service.zone(arguments).id }
            change.apply(to: &alarm)
            if arguments.flag("queue") { alarm.items = [] }
            let items = try await items(rest, service)
            _ = try await service.ask("PUT", "/alarms/\(alarm.id)", Self.body(alarm, items: items))
        case .on, .off:
            var alarm = try await find(words.first, action, service)
            alarm.isOn = action == .on
            _ = try await service.ask("PUT", "/alarms/\(alarm.id)", alarm.body)
        case .remove:
            let alarm = try await find(words.first, action, service)
            _ = try await service.ask("DELETE", "/alarms/\(alarm.id)")
        }
    }

    /// The members that options change.
    private struct Change {
        var days: [String]?
        /// The volume; `.some(nil)` for the one that the rooms have.
        var volume: Double??
        var fade: Double?

        init(_ arguments: ParsedArguments) throws(UsageError) {
            if let text = arguments.value("days") {
                guard let found = AlarmDays.parse(text) else {
                    throw UsageError(
                        "the days must be once, daily, weekdays, weekends, or names such as mon,wed")
                }
                days = found
            }
            if let text = arguments.value("volume") {
                guard text == "as-is" || VolumeText.plain(text) != nil else {
                    throw UsageError("the volume must be a number from 0 to 100, or as-is")
                }
                volume = .some(VolumeText.plain(text))
            }
            if let text = arguments.value("fade") {
                guard let seconds = TimeText.duration(text), seconds <= 600 else {
                    throw UsageError("the fade must be a time such as 30s or 5m, at most 10m")
                }
                fade = seconds
            }
        }

        func apply(to alarm: inout RemoteAlarm) {
            if let days { alarm.days = days }
            if let volume { alarm.volume = volume }
            if let fade { alarm.fadeSeconds = fade }
        }
    }

    private static func items(
        _ words: ArraySlice<String>, _ service: RemoteService
    ) async throws(RemoteFailure) -> JSONValue? {
        words.isEmpty ? nil : try await QueueItems.json(Array(words), service)
    }

    /// Returns the body of a request, with other items if there are some.
    private static func body(_ alarm: RemoteAlarm, items: JSONValue?) -> JSONValue {
        guard let items, case .object(let members) = alarm.body else { return alarm.body }
        return .object(members.filter { $0.key != "items" } + [.init(key: "items", value: items)])
    }

    private static func find(
        _ word: String?, _ action: Action, _ service: RemoteService
    ) async throws -> RemoteAlarm {
        guard let number = word.flatMap({ Int($0) }) else {
            throw UsageError("alarm \(action.rawValue) takes the number of an alarm")
        }
        guard let alarm = try await service.house().alarms?.first(where: { $0.id == number }) else {
            throw RemoteFailure(.notFound, "There is no alarm \(number). 'tutti alarm list' lists them.")
        }
        return alarm
    }

    private static func answer(_ data: Data, _ arguments: ParsedArguments) throws(RemoteFailure) {
        struct Outcome: Decodable { var alarm: Int? }
        if arguments.flag("json") { return try RemoteOutput.print(json: data) }
        // The alarm is set nevertheless; an answer without its number prints nothing.
        let id = (try? JSONDecoder().decode(Outcome.self, from: data))?.alarm
        if let id { try RemoteOutput.print(["Made alarm \(id)."]) }
    }

    private static func list(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        if arguments.flag("json") {
            return try RemoteOutput.print(json: try await service.ask("GET", "/alarms"))
        }
        try RemoteOutput.print(table(try await service.house(), limit: RemoteOutput.columns))
    }

    /// Returns the alarms as a table.
    static func table(_ house: RemoteHouse, limit: Int?) -> [String] {
        guard let alarms = house.alarms, !alarms.isEmpty else {
            return ["No alarms. Make one with: tutti alarm add 6:30"]
        }
        var table = FittedTable([
            .init("NUMBER"), .init("TIME"), .init("DAYS", shrinksTo: 8), .init("ZONE", shrinksTo: 6),
            .init("MUSIC", shrinksTo: 8, goes: 2), .init("VOLUME", goes: 1), .init("FADE", goes: 0),
            .init("STATE"),
        ])
        for alarm in alarms {
            table.append([
                "\(alarm.id)", TimeText.ofDay(alarm.minute), AlarmDays.text(alarm.days),
                house.zones.first { $0.id == alarm.zone }?.name ?? "#\(alarm.zone)",
                alarm.items.isEmpty ? "the queue" : alarm.items.map(\.text).joined(separator: ", "),
                StatusText.percent(alarm.volume),
                alarm.fadeSeconds > 0 ? "\(StatusText.number(alarm.fadeSeconds)) s" : "",
                alarm.isOn ? "on" : "off",
            ])
        }
        return table.lines(limit: limit)
    }
}
