/// The action that a command line requests.
public enum Invocation {
    case run(any Command.Type, ParsedArguments)
    /// Print a text to standard output and exit.
    case print(String)
    /// Print a line to standard error and exit with ``ExitStatus/usage``.
    case complain(String)

    /// Finds the subcommand of `tutti` and parses its arguments.
    ///
    /// - Parameters:
    ///   - arguments: The arguments without the program's name.
    ///   - programs: The programs that replace former subcommands, by the subcommand's name.
    ///   - welcome: The command that runs without arguments.
    ///   - examples: Command lines that people begin with, for the help of the program.
    public init(
        _ arguments: [String], commands: [any Command.Type], version: String,
        programs: [String: String] = [:], welcome: (any Command.Type)? = nil,
        examples: [CommandExample] = []
    ) {
        let (common, arguments) = Self.leadingOptions(arguments)
        guard let first = arguments.first else {
            self =
                welcome.map { Self.parse(common, for: $0) }
                ?? .complain("tutti: missing command; 'tutti --help' lists them")
            return
        }
        switch first {
        case "--help", "-h", "help":
            self = Self.help(
                for: Array(arguments.dropFirst()), common, commands: commands, examples: examples)
        case "--version": self = .print("tutti \(version)\n")
        default:
            guard let command = commands.first(where: { $0.declaration.name == first }) else {
                self = .complain(
                    programs[first].map { "tutti: '\(first)' is a separate program: run '\($0)'" }
                        ?? Self.unknown(first, commands: commands))
                return
            }
            self = Self.parse(common + arguments.dropFirst(), for: command)
        }
    }

    /// Splits the options of all commands, which may stand before the command too, from the rest.
    static func leadingOptions(_ arguments: [String]) -> (common: [String], rest: [String]) {
        var count = 0
        while count < arguments.count {
            let words = arguments[count].split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = CommandDeclaration.common.first { option in
                option.name != "help"
                    && (words.first.map(String.init) == "--\(option.name)"
                        || option.short.map { arguments[count] == "-\($0)" } ?? false)
            }
            guard let option else { break }
            count += option.kind != nil && words.count == 1 ? 2 : 1
        }
        count = min(count, arguments.count)
        return (Array(arguments[..<count]), Array(arguments[count...]))
    }

    /// Parses the arguments of a program without subcommands.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    public init(_ arguments: [String], of program: any Command.Type, version: String) {
        guard arguments.first != "--version" else {
            self = .print("\(program.declaration.invocation) \(version)\n")
            return
        }
        self = Self.parse(arguments, for: program)
    }

    /// Carries the action out; messages for users go to standard error.
    public func perform() async -> ExitStatus {
        switch self {
        case .print(let text):
            return StandardStream.output.write(text) ? .success : .failure
        case .complain(let line):
            StandardStream.error.line(line)
            return .usage
        case .run(let command, let parsed):
            Console.set(Console.Settings(parsed))
            do {
                let status = try await command.run(parsed)
                return status == .success && SignalStream.wasInterrupted ? .interrupted : status
            } catch {
                Console.error(command.declaration.invocation, Self.text(error, about: command.declaration))
                return error.status
            }
        }
    }

    private static func parse(_ arguments: [String], for command: any Command.Type) -> Invocation {
        let declaration = command.declaration
        do {
            let parsed = try ArgumentParser.parse(arguments, as: declaration)
            if parsed.flag("help") {
                let color = Console.Settings(parsed).color
                return .print(HelpText.of(declaration, hasColor: Console.hasColor(.output, color)))
            }
            return .run(command, parsed)
        } catch {
            return .complain(complaint(error, about: declaration))
        }
    }

    private static func complaint(_ error: UsageError, about declaration: CommandDeclaration) -> String {
        "\(declaration.invocation): \(text(error, about: declaration))"
    }

    /// Points to the help where it helps.
    private static func text(_ error: UsageError, about declaration: CommandDeclaration) -> String {
        error.status == .usage ? "\(error); see '\(declaration.invocation) --help'" : "\(error)"
    }

    private static func help(
        for words: [String], _ common: [String], commands: [any Command.Type], examples: [CommandExample]
    ) -> Invocation {
        let more = leadingOptions(words)
        if let name = more.rest.first {
            guard let command = commands.first(where: { $0.declaration.name == name }) else {
                return .complain(unknown(name, commands: commands))
            }
            return parse(common + more.common + ["--help"], for: command)
        }
        // Help is printed for wrong options too, then in the usual colors.
        let options = try? ArgumentParser.parse(
            common + more.common, as: CommandDeclaration(name: "help", summary: ""))
        let color = options.map { Console.Settings($0).color } ?? .auto
        let hasColor = Console.hasColor(.output, color)
        return .print(
            HelpText.ofProgram(commands.map { $0.declaration }, examples: examples, hasColor: hasColor))
    }

    private static func unknown(_ name: String, commands: [any Command.Type]) -> String {
        let kind = name.hasPrefix("-") ? "option" : "command"
        let words =
            commands.map { $0.declaration }.filter { !$0.isHidden }.map(\.name)
            + ["--help", "--version"]
        return "tutti: unknown \(kind) '\(Printable.text(name))'" + Suggestion.text(for: name, among: words)
            + "; see 'tutti --help'"
    }
}
