import Testing

@testable import TuttiCommandLineInterface

@Suite("Command lines of the program")
struct InvocationTests {
    enum First: Command {
        static let declaration = CommandDeclaration(
            name: "first", summary: "Do the first thing", discussion: "A paragraph.",
            positionals: [
                PositionalDeclaration(name: "FILE", count: .oneOrMore, kind: .file, help: "What to do")
            ],
            options: [
                .value("mode", short: "m", "MODE", .choice(["a", "b"]), "How to do it"),
                .repeated("a-long-name-for-an-option", "WITH-VALUE", .text, "Line one\nand two"),
            ])
        static func run(_ arguments: ParsedArguments) async -> TuttiCommandLineInterface.ExitStatus {
            .success
        }
    }

    enum Second: Command {
        static let declaration = CommandDeclaration(name: "second", summary: "Do the second thing")
        static func run(_ arguments: ParsedArguments) async -> TuttiCommandLineInterface.ExitStatus {
            .success
        }
    }

    static func invoke(_ arguments: [String]) -> Invocation {
        Invocation(arguments, commands: [First.self, Second.self], version: "1.2")
    }

    static let complaints: [([String], String)] = [
        ([], "tutti: missing command; 'tutti --help' lists them"),
        (["frist"], "tutti: unknown command 'frist'; did you mean first?; see 'tutti --help'"),
        (["--verzion"], "tutti: unknown option '--verzion'; did you mean --version?; see 'tutti --help'"),
        (["zzz"], "tutti: unknown command 'zzz'; see 'tutti --help'"),
        (["help", "zzz"], "tutti: unknown command 'zzz'; see 'tutti --help'"),
        (["second", "x"], "tutti second: unexpected argument 'x'; see 'tutti second --help'"),
        (["first", "-m", "c"], "tutti first: -m must be one of a, b, not 'c'; see 'tutti first --help'"),
        (["first"], "tutti first: missing FILE; see 'tutti first --help'"),
    ]

    @Test("without sense get one line", arguments: complaints)
    func complains(arguments: [String], expected: String) throws {
        guard case .complain(let line) = Self.invoke(arguments) else { throw UsageError("no complaint") }
        #expect(line == expected)
    }

    @Test(
        "take the options of all commands before the command too",
        arguments: [
            (["-q", "second"], true, nil), (["--color", "never", "second"], false, "never"),
            (["--color=always", "--quiet", "second"], true, "always"), (["second", "-q"], true, nil),
        ] as [([String], Bool, String?)])
    func leadingOptions(words: [String], isQuiet: Bool, color: String?) throws {
        guard case .run(let command, let parsed) = Self.invoke(words) else { throw UsageError("not run") }
        #expect(command.declaration.name == "second")
        #expect(parsed.flag("quiet") == isQuiet && parsed.value("color") == color)
    }

    @Test("with a wrong option before the command get one line")
    func wrongLeadingOption() throws {
        guard case .complain(let line) = Self.invoke(["--color", "red", "second"]) else {
            throw UsageError("no complaint")
        }
        #expect(line.contains("--color must be one of auto, always, never"))
    }

    @Test("without arguments run the command that welcomes, if there is one")
    func welcomes() throws {
        let invocation = Invocation([], commands: [First.self], version: "1.2", welcome: Second.self)
        guard case .run(let command, _) = invocation else { throw UsageError("not run") }
        #expect(command.declaration.name == "second")
    }

    @Test("that run something")
    func runs() throws {
        guard case .run(let command, let parsed) = Self.invoke(["first", "-mb", "x"]) else {
            throw UsageError("not run")
        }
        #expect(command.declaration.name == "first")
        #expect(parsed.value("mode") == "b" && parsed.positionals == ["x"])
    }

    @Test(
        "that ask for the version or for help",
        arguments: [
            (["--version"], "tutti 1.2\n"), (["--help"], "Usage: tutti COMMAND"),
            (["-h"], "Usage: tutti COMMAND"),
            (["help"], "Usage: tutti COMMAND"), (["help", "second"], "Usage: tutti second [OPTIONS]"),
            (["second", "-h"], "Usage: tutti second [OPTIONS]"), (["first", "--help"], "Usage: tutti first"),
        ])
    func prints(arguments: [String], beginning: String) throws {
        guard case .print(let text) = Self.invoke(arguments) else { throw UsageError("nothing printed") }
        #expect(text.hasPrefix(beginning))
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }

    @Test("the help of the program has its examples between the summary and the commands")
    func helpOfProgram() throws {
        let invocation = Invocation(
            ["help"], commands: [First.self, Second.self], version: "1.2",
            examples: [
                CommandExample("tutti first x", "the first thing"), CommandExample("tutti second", ""),
            ])
        guard case .print(let text) = invocation else { throw UsageError("nothing printed") }
        #expect(
            text.hasPrefix(
                """
                Usage: tutti COMMAND [OPTIONS]

                Plays music to AirPlay speakers.

                Examples:
                  tutti first x  the first thing
                  tutti second

                Commands:
                  first   Do the first thing
                  second  Do the second thing

                Options:

                """))
        guard case .print(let plain) = Self.invoke(["help"]) else { throw UsageError("nothing printed") }
        #expect(!plain.contains("Examples"))
    }

    @Test("the help of a subcommand comes from its declaration")
    func help() {
        #expect(
            HelpText.of(First.declaration) == """
                Usage: tutti first [OPTIONS] FILE...

                Do the first thing.

                A paragraph.

                Arguments:
                  FILE  What to do

                Options:
                  -m, --mode MODE                 How to do it
                      --a-long-name-for-an-option WITH-VALUE
                                                  Line one
                                                  and two
                  -q, --quiet                     Print no hints and no progress
                      --color WHEN                Colours: auto (default; not with NO_COLOR), always or never
                  -h, --help                      Show this help

                """)
    }

    @Test("a former subcommand names the program that replaces it")
    func moved() throws {
        let invocation = Invocation(
            ["third", "x"], commands: [First.self], version: "1", programs: ["third": "third-tool"])
        guard case .complain(let line) = invocation else { throw UsageError("no complaint") }
        #expect(line == "tutti: 'third' is a separate program: run 'third-tool'")
    }

    enum Alone: Command {
        static let declaration = CommandDeclaration(
            program: nil, name: "alone", summary: "Do one thing",
            positionals: [PositionalDeclaration(name: "FILE", help: "The file")])
        static func run(_ arguments: ParsedArguments) async -> TuttiCommandLineInterface.ExitStatus {
            .success
        }
    }

    @Test("a program without subcommands has its own name in all texts")
    func alone() throws {
        guard case .print(let version) = Invocation(["--version"], of: Alone.self, version: "1.2"),
            case .print(let help) = Invocation(["-h"], of: Alone.self, version: "1.2"),
            case .complain(let line) = Invocation([], of: Alone.self, version: "1.2"),
            case .run(_, let parsed) = Invocation(["a"], of: Alone.self, version: "1.2")
        else { throw UsageError("not understood") }
        #expect(version == "alone 1.2\n")
        #expect(help.hasPrefix("Usage: alone [OPTIONS] FILE\n\nDo one thing.\n"))
        #expect(line == "alone: missing FILE; see 'alone --help'")
        #expect(parsed.positionals == ["a"])
    }
}
