import Testing

@testable import TuttiCommandLineInterface

@Suite("Arguments of a subcommand")
struct ArgumentParserTests {
    static let declaration = CommandDeclaration(
        name: "sample", summary: "Do something",
        positionals: [
            PositionalDeclaration(name: "FIRST", help: "The first"),
            PositionalDeclaration(name: "MORE", count: .any, kind: .file, help: "The others"),
        ],
        options: [
            .flag("json", short: "j", "Machine readable"),
            .flag("verbose", short: "v", "Say more"),
            .value("timeout", short: "t", "SECONDS", .duration, "How long"),
            .value("count", "N", .integer(1...9), "How many"),
            .value("volume", "DB", .number(-30...0), "How loud"),
            .value("format", "NAME", .choice(["alac", "aac"]), "Which"),
            .repeated("to", "NAME", .text, "Where"),
        ])

    static let valid: [([String], [String: [String]], [String])] = [
        (["a"], [:], ["a"]),
        (["a", "b", "c"], [:], ["a", "b", "c"]),
        (["--json", "a"], ["json": []], ["a"]),
        (["a", "--json", "b"], ["json": []], ["a", "b"]),
        (["-jv", "a"], ["json": [], "verbose": []], ["a"]),
        (["--json", "--json", "a"], ["json": []], ["a"]),
        (["--timeout", "5", "a"], ["timeout": ["5"]], ["a"]),
        (["--timeout=5", "a"], ["timeout": ["5"]], ["a"]),
        (["-t", "5", "a"], ["timeout": ["5"]], ["a"]),
        (["-t5", "a"], ["timeout": ["5"]], ["a"]),
        (["-t=5", "a"], ["timeout": ["5"]], ["a"]),
        (["-jt5", "a"], ["json": [], "timeout": ["5"]], ["a"]),
        (["--to", "A", "--to=B C", "--to", "A", "a"], ["to": ["A", "B C", "A"]], ["a"]),
        (["--to==", "a"], ["to": ["="]], ["a"]),
        (["--volume", "-12.5", "a"], ["volume": ["-12.5"]], ["a"]),
        (["--volume=-30", "a"], ["volume": ["-30"]], ["a"]),
        (["--format", "aac", "a"], ["format": ["aac"]], ["a"]),
        (["--", "--json"], [:], ["--json"]),
        (["a", "--", "--", "-x"], [:], ["a", "--", "-x"]),
        (["-"], [:], ["-"]),
        (["-5"], [:], ["-5"]),
        (["--help"], ["help": []], []),
        (["-h", "a"], ["help": []], ["a"]),
    ]

    @Test("that make sense", arguments: valid)
    func parses(arguments: [String], values: [String: [String]], positionals: [String]) throws {
        let parsed = try ArgumentParser.parse(arguments, as: Self.declaration)
        #expect(parsed.values == values)
        #expect(parsed.positionals == positionals)
    }

    static let invalid: [([String], String)] = [
        ([], "missing FIRST"),
        (["--json"], "missing FIRST"),
        ([""], "FIRST must not be empty, not ''"),
        (["--jsn", "a"], "unknown option --jsn; did you mean --json?"),
        (["--tiemout", "5"], "unknown option --tiemout; did you mean --timeout?"),
        (["--verb", "a"], "unknown option --verb; did you mean --verbose?"),
        (["--zzzzzz", "a"], "unknown option --zzzzzz"),
        (["-x", "a"], "unknown option -x"),
        (["-jx", "a"], "unknown option -x"),
        (["---", "a"], "unknown option ---"),
        (["--=5", "a"], "unknown option --"),
        (["--\u{1B}[2J", "a"], "unknown option --?[2J"),
        (["--json=yes", "a"], "--json takes no value"),
        (["a", "--timeout"], "--timeout needs a value: --timeout SECONDS"),
        (["a", "-t"], "-t needs a value: -t SECONDS"),
        (["a", "--timeout", "--json"], "--timeout needs a value: --timeout SECONDS"),
        (["a", "--timeout", "1", "-t2"], "-t was given twice"),
        (["a", "--timeout", "soon"], "--timeout must be a time such as 10, 1.5s or 5m, not 'soon'"),
        (["a", "--count", "0"], "--count must be a whole number from 1 to 9, not '0'"),
        (["a", "--count", "1.5"], "--count must be a whole number from 1 to 9, not '1.5'"),
        (
            ["a", "--count=99999999999999999999"],
            "--count must be a whole number from 1 to 9, not '99999999999999999999'"
        ),
        (["a", "--volume", "1"], "--volume must be a number from -30 to 0, not '1'"),
        (["a", "--volume", "nan"], "--volume must be a number from -30 to 0, not 'nan'"),
        (["a", "--format", "mp3"], "--format must be one of alac, aac, not 'mp3'"),
        (["a", "--to="], "--to must not be empty, not ''"),
    ]

    @Test("that make no sense say why", arguments: invalid)
    func refuses(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try ArgumentParser.parse(arguments, as: Self.declaration) }
    }

    @Test("too many are refused where the last place takes one")
    func tooMany() throws {
        let one = CommandDeclaration(
            name: "one", summary: "One", positionals: [PositionalDeclaration(name: "ONLY", help: "One")])
        #expect(throws: UsageError("unexpected argument 'b'")) {
            try ArgumentParser.parse(["a", "b"], as: one)
        }
        let none = CommandDeclaration(name: "none", summary: "None")
        #expect(throws: UsageError("unexpected argument 'a'")) { try ArgumentParser.parse(["a"], as: none) }
        #expect(try ArgumentParser.parse([], as: none) == ParsedArguments())
    }

    @Test(
        "optional and repeated places",
        arguments: [
            (PositionalDeclaration.Count.optional, [0, 1]), (.one, [1]), (.oneOrMore, [1, 2, 9]),
            (.any, [0, 1, 2, 9]),
        ])
    func counts(count: PositionalDeclaration.Count, allowed: [Int]) {
        let declaration = CommandDeclaration(
            name: "x", summary: "X", positionals: [PositionalDeclaration(name: "P", count: count, help: "P")])
        for number in [0, 1, 2, 9] {
            let arguments = Array(repeating: "a", count: number)
            let parsed = try? ArgumentParser.parse(arguments, as: declaration)
            let isAllowed = allowed.contains(number)
            #expect((parsed != nil) == isAllowed, "\(count) with \(number)")
        }
    }

    @Test("are read by name and type")
    func accessors() throws {
        let parsed = try ArgumentParser.parse(
            [
                "x", "-j", "--timeout", "1.5s", "--count", "3", "--volume", "-2.5", "--to", "A", "--to", "B",
                "y",
            ],
            as: Self.declaration)
        #expect(parsed.flag("json") && !parsed.flag("verbose"))
        #expect(parsed.duration("timeout") == .milliseconds(1500))
        #expect(parsed.integer("count") == 3)
        #expect(parsed.number("volume") == -2.5)
        #expect(parsed.all("to") == ["A", "B"])
        #expect(parsed.value("format") == nil && parsed.all("format").isEmpty)
        #expect(parsed.positional(1) == "y")
        #expect(parsed.positional(2) == nil && parsed.positional(-1) == nil)
    }
}
