import Foundation
import TuttiCommandLineInterface
import TuttiSurfaceCommands

/// The hidden command `tutti reference`: prints `docs/shell.md` or the table of the commands, or writes the man pages.
enum ReferenceCommand: Command {
    /// The pages, and the table for tests.
    enum Page: String, CaseIterable {
        case shell, commands
        case commandsJSON = "commands.json"
        case options
        case exitStatus = "exit-status"
        case man
        case checkCommand = "check-command"
    }

    static let declaration: CommandDeclaration = {
        var declaration = CommandDeclaration(
            name: "reference",
            summary: "Print a generated page of docs, write the man pages, or check a command line",
            positionals: [
                PositionalDeclaration(
                    name: "PAGE", count: .optional, kind: .choice(Page.allCases.map(\.rawValue)),
                    help: Page.allCases.map(\.rawValue).joined(separator: ", ")),
                PositionalDeclaration(
                    name: "WORD", count: .any, kind: .word,
                    help:
                        "With man, the folder of the pages;\nwith check-command, the words of a command line"),
            ])
        declaration.isHidden = true
        return declaration
    }()

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let page = arguments.positional(0).flatMap(Page.init) ?? .shell
        let text: String
        switch page {
        case .shell: text = ShellManual.text
        case .commands: text = CommandsPage.text
        case .options: text = ReferencePages.options
        case .exitStatus: text = ReferencePages.exitStatus
        case .checkCommand: return check(Array(arguments.positionals.dropFirst()))
        case .commandsJSON: text = JSONLine(json).text + "\n"
        case .man:
            guard let folder = arguments.positional(1) else { throw UsageError("missing FOLDER") }
            return write(ManualPages.all, to: URL(fileURLWithPath: folder, isDirectory: true))
        }
        return StandardStream.output.write(text) ? .success : .failure
    }

    /// Parses the words after `tutti` without running the command.
    private static func check(_ words: [String]) -> ExitStatus {
        guard case .complain(let line) = Tutti.invocation(words) else { return .success }
        Console.error("tutti reference", line)
        return .usage
    }

    private static func write(_ pages: [String: String], to folder: URL) -> ExitStatus {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in pages {
                try Data(text.utf8).write(to: folder.appendingPathComponent(name))
            }
            return .success
        } catch {
            Console.error("tutti reference", "\(error.localizedDescription)")
            return .failure
        }
    }

    /// The rows, each with the words of the surfaces that have the command.
    private static var json: JSONValue {
        .array(
            CommandRow.all.map { row in
                let forms = SurfaceColumn.allCases.compactMap { column in
                    row[column].words.map { JSONValue.Member(key: column.rawValue, value: .string($0)) }
                }
                return .members(["name": .string(row.name.rawValue), "surfaces": .object(forms)])
            })
    }
}
