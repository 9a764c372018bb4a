import Testing

@testable import TuttiCommandLineInterface

@Suite("Options before the command")
struct LeadingOptionsTests {
    static let lines: [(words: [String], common: [String], rest: [String])] = [
        ([], [], []), (["second"], [], ["second"]),
        (["-q", "second", "-q"], ["-q"], ["second", "-q"]),
        (["--color", "never", "-q", "x"], ["--color", "never", "-q"], ["x"]),
        (["--color=", "second"], ["--color="], ["second"]),
        (["--color=a=b", "second"], ["--color=a=b"], ["second"]),
        (["--quiet=yes", "second"], ["--quiet=yes"], ["second"]),
        (["=--color", "second"], [], ["=--color", "second"]),
        (["--colour", "never"], [], ["--colour", "never"]),
        (["--color"], ["--color"], []), (["--help", "-q"], [], ["--help", "-q"]),
        (["--", "second"], [], ["--", "second"]), (["", "second"], [], ["", "second"]),
    ]

    @Test("options of all commands end at the first other word", arguments: lines)
    func splits(words: [String], common: [String], rest: [String]) {
        let found = Invocation.leadingOptions(words)
        #expect(found.common == common)
        #expect(found.rest == rest)
    }

    static let complaints: [([String], String)] = [
        (
            ["--color=", "second"],
            "tutti second: --color must be one of auto, always, never, not ''; see 'tutti second --help'"
        ),
        (["--quiet=yes", "second"], "tutti second: --quiet takes no value; see 'tutti second --help'"),
        (["-q", "-q=1", "second"], "tutti: unknown option '-q=1'; see 'tutti --help'"),
        (["--", "second"], "tutti: unknown option '--'; see 'tutti --help'"),
        ([""], "tutti: unknown command ''; see 'tutti --help'"),
        (["\u{1B}[2J"], "tutti: unknown command '?[2J'; see 'tutti --help'"),
        (["help", "-q", "zzz"], "tutti: unknown command 'zzz'; see 'tutti --help'"),
    ]

    @Test("a wrong word before the command is refused in one line", arguments: complaints)
    func complains(words: [String], expected: String) throws {
        guard case .complain(let line) = InvocationTests.invoke(words) else {
            throw UsageError("no complaint")
        }
        #expect(line == expected)
    }

    @Test("the help of a command has the colours that are asked for before it")
    func colours() throws {
        for words in [["--color", "always", "help", "second"], ["help", "--color=always", "second"]] {
            guard case .print(let text) = InvocationTests.invoke(words) else { throw UsageError("no help") }
            #expect(text.contains(TextStyle.heading.applied(to: "Options:")), "\(words)")
        }
        guard case .print(let plain) = InvocationTests.invoke(["--color=never", "second", "-h"]) else {
            throw UsageError("no help")
        }
        #expect(!plain.contains("\u{1B}"))
    }
}
