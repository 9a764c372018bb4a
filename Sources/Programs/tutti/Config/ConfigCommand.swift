import Foundation
import TuttiCommandLineInterface
import TuttiServiceHost

/// The command `tutti config`: checks and prints the settings of `tutti serve`.
enum ConfigCommand: Command {
    /// The action of the command.
    private enum Action: String, CaseIterable {
        case check, show, example, manual
    }

    static let declaration = CommandDeclaration(
        name: "config",
        summary: "Check or print the settings of 'tutti serve'",
        examples: [
            CommandExample("tutti config check", "every mistake, with its line"),
            CommandExample("tutti config example > tutti.toml", "a file to begin with"),
        ],
        discussion: """
            check    names every mistake in the configuration file and the environment
            show     prints the settings in force, and the source of each
            example  prints a configuration file with every key
            manual   prints the man page tutti.conf(5)

            Without --config, the file is ~/.config/tutti/tutti.toml or /etc/tutti/tutti.toml.
            """,
        positionals: [
            PositionalDeclaration(
                name: "ACTION", kind: .choice(Action.allCases.map(\.rawValue)),
                help: "check, show, example or manual")
        ],
        options: [.value("config", short: "c", "FILE", .file, "Use this configuration file")])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        // The declaration requires the argument.
        guard let action = arguments.positional(0).flatMap(Action.init) else {
            throw UsageError("missing ACTION")
        }
        switch action {
        case .check: return read(arguments) { [verdict(on: $0)] }
        case .show: return read(arguments) { ConfigurationListing($0).lines }
        case .example: return StandardStream.output.write(ConfigurationExample.text) ? .success : .failure
        case .manual: return StandardStream.output.write(ConfigurationManual.text) ? .success : .failure
        }
    }

    /// Reads the settings and prints lines about them; mistakes and warnings go to standard error.
    private static func read(
        _ arguments: ParsedArguments, lines: (ConfigurationReading) -> [String]
    ) -> ExitStatus {
        do {
            let reading = try HouseSettings.read(
                path: arguments.value("config"), environment: ProcessInfo.processInfo.environment)
            let isWritten = lines(reading).allSatisfy { StandardStream.output.line(Printable.text($0)) }
            for warning in reading.warnings { Console.warning("tutti config", "\(warning)") }
            guard let mistake = reading.settings.mistake else { return isWritten ? .success : .failure }
            Console.error("tutti config", "\(mistake)")
            return .configuration
        } catch {
            for line in error.lines { Console.error("tutti config", "\(line)") }
            return .configuration
        }
    }

    private static func verdict(on reading: ConfigurationReading) -> String {
        guard let path = reading.path else { return "There is no configuration file; the defaults apply." }
        guard reading.settings.mistake == nil else { return "\(path) has a mistake." }
        return "\(path) has no mistakes."
    }
}
