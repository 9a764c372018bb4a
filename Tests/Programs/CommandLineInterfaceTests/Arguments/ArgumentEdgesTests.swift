import Testing

@testable import TuttiCommandLineInterface

@Suite("Unusual words of a command line")
struct ArgumentEdgesTests {
    private static let declaration = ArgumentParserTests.declaration

    static let valid: [([String], [String: [String]], [String])] = [
        (["--to", "-x", "a"], ["to": ["-x"]], ["a"]), (["--to", "-", "a"], ["to": ["-"]], ["a"]),
        (["--to=--json", "a"], ["to": ["--json"]], ["a"]),
        (["--to", "Küche \"🎵\" 'x'", "a"], ["to": ["Küche \"🎵\" 'x'"]], ["a"]),
        (["-jt=5m", "a"], ["json": [], "timeout": ["5m"]], ["a"]),
        (["-jvt", "250ms", "a"], ["json": [], "verbose": [], "timeout": ["250ms"]], ["a"]),
        (["-.5"], [:], ["-.5"]), (["-1:30"], [:], ["-1:30"]), (["-5%"], [:], ["-5%"]),
        (["a", "-"], [:], ["a", "-"]), (["--", "-h"], [:], ["-h"]), (["--", "--help"], [:], ["--help"]),
        (["a", "--", "-t", "5"], [:], ["a", "-t", "5"]),
        (["-hj"], ["help": [], "json": []], []), (["--help", "-h"], ["help": []], []),
        (["--volume", "-30", "a"], ["volume": ["-30"]], ["a"]),
        (["--volume", "-0", "a"], ["volume": ["-0"]], ["a"]),
        (["--quiet", "-q", "a"], ["quiet": []], ["a"]),
    ]

    @Test("a word with dashes, signs or quotes is a value where one belongs", arguments: valid)
    func parses(arguments: [String], values: [String: [String]], positionals: [String]) throws {
        let parsed = try ArgumentParser.parse(arguments, as: Self.declaration)
        #expect(parsed.values == values)
        #expect(parsed.positionals == positionals)
    }

    static let invalid: [([String], String)] = [
        (["--to", "--", "a"], "--to needs a value: --to NAME"),
        (["--to", "--json", "a"], "--to needs a value: --to NAME"),
        (["-j=yes", "a"], "-j takes no value"), (["-vj=yes", "a"], "-j takes no value"),
        (["--help=no"], "--help takes no value"),
        (["--volume", "-31", "a"], "--volume must be a number from -30 to 0, not '-31'"),
        (["--volume=", "a"], "--volume must be a number from -30 to 0, not ''"),
        (["--count", "-1", "a"], "--count must be a whole number from 1 to 9, not '-1'"),
        (["--count=10", "a"], "--count must be a whole number from 1 to 9, not '10'"),
        (["--timeout", "", "a"], "--timeout must be a time such as 10, 1.5s or 5m, not ''"),
        (["--timeout=-5", "a"], "--timeout must be a time such as 10, 1.5s or 5m, not '-5'"),
        (["--format", "AAC", "a"], "--format must be one of alac, aac, not 'AAC'"),
        (["--format", "", "a"], "--format must be one of alac, aac, not ''"),
        (["a", ""], "MORE must not be empty, not ''"),
        (["a", "--count", "\u{1B}[2J"], "--count must be a whole number from 1 to 9, not '?[2J'"),
        (["--JSON", "a"], "unknown option --JSON"), (["-J", "a"], "unknown option -J"),
        (["a", "--nope", "--help"], "unknown option --nope"),
        (["a", "--color", "blue"], "--color must be one of auto, always, never, not 'blue'"),
    ]

    @Test("a word that does not belong where it stands is named", arguments: invalid)
    func refuses(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try ArgumentParser.parse(arguments, as: Self.declaration) }
    }

    @Test("thousands of words keep their order")
    func many() throws {
        let names = (0..<2_000).map { "n\($0)" }
        let words = names.flatMap { ["--to", $0, "file of \($0)"] }
        let parsed = try ArgumentParser.parse(words, as: Self.declaration)
        #expect(parsed.all("to") == names)
        #expect(parsed.positionals == names.map { "file of \($0)" })
    }

    @Test("the last of several values counts where one is asked for, and a flag has none")
    func accessors() throws {
        let parsed = try ArgumentParser.parse(["--to", "A", "-j", "--to", "B", "x"], as: Self.declaration)
        #expect(parsed.value("to") == "B" && parsed.flag("to"))
        #expect(parsed.value("json") == nil && parsed.all("json").isEmpty)
        #expect(parsed.integer("to") == nil && parsed.number("to") == nil && parsed.duration("to") == nil)
    }
}

@Suite("Ports of the clock on the command line")
struct ClockPortsTests {
    @Test("two different ports have a comma between them")
    func ports() throws {
        let ports = try ClockPorts.parse("31900,32000")
        #expect(ports?.event == 31_900 && ports?.general == 32_000)
        let limits = try ClockPorts.parse("1,65535")
        #expect(limits?.event == 1 && limits?.general == 65_535)
        let none = try ClockPorts.parse(nil)
        #expect(none?.event == nil)
    }

    @Test(
        "anything else is refused with an example",
        arguments: [
            "", ",", "319", "319,", ",320", "319,319", "0,320", "319,0", "319,65536", "319,320,321", "a,b",
            "319, 320", "319;320", "-1,320", "3e2,320", "319,320\n",
        ])
    func refuses(text: String) {
        #expect(throws: UsageError("--clock-ports takes two different ports, such as 31900,32000")) {
            try ClockPorts.parse(text)
        }
    }
}
