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
    public init(
        _ arguments: [String], commands: [any Command.Type], version: String,
        programs: [String: String] = [:]
    ) {
        guard let first = arguments.first else {
            self = .complain("tutti: missing command; 'tutti --help' lists them")
            return
        }
        switch first {
        case "--help", "-h", "help": self = Self.help(for: arguments.dropFirst().first, commands: commands)
        case "--version": self = .print("tutti \(version)\n")
        default:
            guard let command = commands.first(where: { $0.declaration.name == first }) else {
                self = .complain(
                    programs[first].map { "tutti: '\(first)' is now a program of its own: run '\($0)'" }
                        ?? Self.unknown(first, commands: commands))
                return
            }
            self = Self.parse(Array(arguments.dropFirst()), for: command)
        }
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
            do {
                return try await command.run(parsed)
            } catch {
                StandardStream.error.line(Self.complaint(error, about: command.declaration))
                return .usage
            }
        }
    }

    private static func parse(_ arguments: [String], for command: any Command.Type) -> Invocation {
        let declaration = command.declaration
        do {
            let parsed = try ArgumentParser.parse(arguments, as: declaration)
            if parsed.flag("help") { return .print(HelpText.of(declaration)) }
            return .run(command, parsed)
        } catch {
            return .complain(complaint(error, about: declaration))
        }
    }

    private static func complaint(_ error: UsageError, about declaration: CommandDeclaration) -> String {
        "\(declaration.invocation): \(error); see '\(declaration.invocation) --help'"
    }

    private static func help(for name: String?, commands: [any Command.Type]) -> Invocation {
        guard let name else { return .print(HelpText.ofProgram(commands.map { $0.declaration })) }
        guard let command = commands.first(where: { $0.declaration.name == name }) else {
            return .complain(unknown(name, commands: commands))
        }
        return .print(HelpText.of(command.declaration))
    }

    private static func unknown(_ name: String, commands: [any Command.Type]) -> String {
        let kind = name.hasPrefix("-") ? "option" : "command"
        let words = commands.map { $0.declaration.name } + ["--help", "--version"]
        return "tutti: unknown \(kind) '\(Printable.text(name))'" + Suggestion.text(for: name, among: words)
            + "; see 'tutti --help'"
    }
}
