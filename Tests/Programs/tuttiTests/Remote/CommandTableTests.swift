import Foundation
import Testing
import TuttiHouse
import TuttiSurfaceCommands
import TuttiTestSupport

@testable import TuttiCommandLineInterface
@testable import tutti

@Suite("The table of commands, shell")
struct CommandTableTests {
    @Test("each row is a command line of the house's commands")
    func lines() throws {
        for row in CommandRow.all {
            guard let line = row[.shell].words else { continue }
            let words = line.split(separator: " ").map(String.init)
            let command = try #require(NamedCommand.command(words[0]), "\(line)")
            _ = try ArgumentParser.parse(Array(words.dropFirst()), as: command.declaration)
            // An action of its own is one that the command knows.
            let actions: [String: [String]] = [
                "queue": QueueCommand.Action.allCases.map(\.rawValue),
                "zone": ZoneCommand.Action.allCases.map(\.rawValue),
                "room": RoomCommand.Action.allCases.map(\.rawValue),
                "alarm": AlarmCommand.Action.allCases.map(\.rawValue),
            ]
            if let known = actions[words[0]] { #expect(known.contains(words[1]), "\(line)") }
        }
    }

    @Test("each action of zones, rooms, queues and alarms has a row, but those that list or store")
    func actions() {
        let lines = CommandRow.all.compactMap { $0[.shell].words }
        func has(_ words: String) -> Bool { lines.contains { $0.hasPrefix(words) } }
        for action in ZoneCommand.Action.allCases { #expect(has("zone \(action.rawValue)")) }
        for action in RoomCommand.Action.allCases { #expect(has("room \(action.rawValue)")) }
        for action in QueueCommand.Action.allCases where action != .save {
            #expect(has("queue \(action.rawValue)"))
        }
    }

    @Test("the page names each command once, and gives a reason where a surface lacks it")
    func page() throws {
        let text = CommandsPage.text
        for name in CommandName.allCases {
            #expect(text.components(separatedBy: "\n| `\(name.rawValue)` |").count == 2)
        }
        for reason in Lack.allCases { #expect(text.contains(". \(reason.rawValue)\n"), "\(reason)") }
        for note in Difference.allCases { #expect(text.contains(". \(note.rawValue)\n"), "\(note)") }
        #expect(text.contains("| `previous` | `previous` (3) | `zone/+/previous/set` |"))
        let found = try String(contentsOf: ProjectFolder.url(of: "docs/commands.md"), encoding: .utf8)
        #expect(found == text, "renew it: tutti reference commands > docs/commands.md")
        #expect(CommandName(.setRoomNightMode(RoomID(rawValue: "a"), true)) == .setRoomNightMode)
    }
}

private enum NamedCommand {
    static func command(_ name: String) -> (any Command.Type)? {
        (ShellManual.commands + [HousePlayCommand.self]).first { $0.declaration.name == name }
    }
}
