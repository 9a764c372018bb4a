import Testing

@testable import TuttiCommandLineInterface

@Suite("Words before the one that is completed")
struct CompletionLineTests {
    private struct Expected {
        let words: [String]
        var positionals: [String] = []
        var options: [String: String] = [:]
        var pending: String?
        var optionsEnded = false
    }

    private static let lines: [Expected] = [
        Expected(words: ["x", "y"], positionals: ["x", "y"]),
        Expected(words: ["-m", "a", "x"], positionals: ["x"], options: ["mode": "a"]),
        Expected(words: ["-ma", "x"], positionals: ["x"], options: ["mode": "a"]),
        Expected(words: ["-m=a", "x"], positionals: ["x"], options: ["mode": "a"]),
        Expected(words: ["--mode=", "x"], positionals: ["x"], options: ["mode": ""]),
        Expected(words: ["-qm", "a", "x"], positionals: ["x"], options: ["quiet": "", "mode": "a"]),
        Expected(words: ["-qma", "x"], positionals: ["x"], options: ["quiet": "", "mode": "a"]),
        Expected(words: ["-qm"], options: ["quiet": ""], pending: "mode"),
        Expected(words: ["-qh", "x"], positionals: ["x"], options: ["quiet": "", "help": ""]),
        Expected(words: ["--mode"], pending: "mode"),
        Expected(words: ["--mode", "--quiet"], options: ["mode": "--quiet"]),
        Expected(words: ["--mode", "a", "--mode", "b"], options: ["mode": "b"]),
        Expected(words: ["--nope", "x", "-z"], positionals: ["x"]),
        Expected(words: ["--nope=1", "x"], positionals: ["x"]),
        Expected(words: ["--", "-m", "--", "a"], positionals: ["-m", "--", "a"], optionsEnded: true),
        Expected(words: ["-", "-5", "-1:30"], positionals: ["-", "-5", "-1:30"]),
        Expected(words: [""], positionals: [""]),
    ]

    @Test("a line is read as the command reads it", arguments: lines.indices)
    func reads(index: Int) {
        let expected = Self.lines[index]
        let line = CompletionLine(expected.words, of: InvocationTests.First.declaration)
        #expect(line.positionals == expected.positionals, "\(expected.words)")
        #expect(line.options == expected.options, "\(expected.words)")
        #expect(line.pending?.name == expected.pending, "\(expected.words)")
        #expect(line.optionsEnded == expected.optionsEnded, "\(expected.words)")
    }

    private static func values(_ words: [String]) async -> [String]? {
        let completion = await Completion.answer(
            Array(words.dropLast()), current: words.last ?? "", commands: CompletionTests.commands,
            names: { _ in nil })
        guard case .words(let found) = completion else { return nil }
        return found.map(\.value)
    }

    static let cases: [([String], [String]?)] = [
        (["first", "-qm", ""], ["a", "b"]), (["first", "-m=a", ""], nil), (["first", "-qma", ""], nil),
        (["first", "-m=a", "--m"], []), (["first", "--mode="], ["--mode=a", "--mode=b"]),
        (["first", "--quiet="], []), (["first", "--nope="], []), (["first", "-m="], []),
        (["first", "--mode", "c"], []), (["first", "a", "b", ""], nil),
        (["first", "--a-long-name-for-an-option", "x", "--a"], ["--a-long-name-for-an-option"]),
        (["first", "-h", "--he"], []), (["FIRST", ""], []), (["S"], ["second"]), (["help", "-q"], []),
    ]

    @Test(
        "a word after combined options is completed as the value or the argument that it is", arguments: cases
    )
    func completes(words: [String], expected: [String]?) async {
        #expect(await Self.values(words) == expected)
    }

    @Test("a shell without words asks for the first one")
    func none() {
        let (words, current) = CompletionReply.words([])
        #expect(words.isEmpty && current.isEmpty)
        #expect(CompletionReply.text(.words([])) == "words\n")
    }
}
