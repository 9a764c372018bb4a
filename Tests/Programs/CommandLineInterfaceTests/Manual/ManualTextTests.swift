import Testing
import TuttiTestSupport

@testable import TuttiCommandLineInterface

@Suite("Text of man pages and tables")
struct ManualTextTests {
    static let escapes: [(String, String)] = [
        ("plain", "plain"), (".Sh NAME", "\\&.Sh NAME"), ("a.b", "a.b"), ("'quoted'", "\\(aqquoted\\(aq"),
        ("\\fB", "\\efB"), ("--color", "\\-\\-color"), ("~/.config", "\\(ti/.config"), ("a\"b", "a\\(dqb"),
        ("`x` ^", "\\(gax\\(ga \\(ha"), ("", ""), ("Küche 🎵", "Küche 🎵"),
    ]

    @Test("nothing in a text has a meaning for the formatter", arguments: escapes)
    func escaped(text: String, expected: String) {
        #expect(ManualText.escaped(text) == expected)
    }

    @Test("a word with a full stop before it is no macro where a line begins with it")
    func wrappedMacro() {
        let text = String(repeating: "x", count: 76) + " .conf is read. .Sh is not"
        #expect(
            ManualText.sentences(text).split(separator: "\n") == [
                Substring(String(repeating: "x", count: 76)), "\\&.conf is read.", "\\&.Sh is not",
            ])
    }

    @Test("lines keep to their limit, and no word is lost")
    func wraps() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            let words = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                String(repeating: "é", count: Int.random(in: 1...25, using: &random))
            }
            let lines = WrappedText.lines(words.joined(separator: " "), limit: 20)
            #expect(lines.flatMap { $0.split(separator: " ").map(String.init) } == words)
            #expect(lines.allSatisfy { $0.count <= 20 || !$0.contains(" ") })
            // A line ends only where the next word has no room.
            for (line, next) in zip(lines, lines.dropFirst()) {
                let first = next.prefix { $0 != " " }
                #expect(line.count + 1 + first.count > 20)
            }
        }
        #expect(WrappedText.lines("", limit: 20).isEmpty)
        #expect(WrappedText.lines("  a   b ", limit: 20) == ["a b"])
    }

    @Test("a table of options has a cell for each name, however it is spelled")
    func optionTable() {
        var hidden = CommandDeclaration(name: "hidden", summary: "Be unseen")
        hidden.isHidden = true
        let shown = CommandDeclaration(
            name: "sample", summary: "Do it",
            positionals: [PositionalDeclaration(name: "A|B", count: .any, help: "One\nor both")],
            options: [
                .flag("json", short: "j", "Print a|b"), .value("mode", "ID|all", .text, "How"),
            ])
        #expect(
            OptionTables.sections(of: [hidden, shown]) == """
                ## tutti sample

                Do it.

                    tutti sample [OPTIONS] [A|B...]

                | argument | meaning |
                |---|---|
                | `A\\|B` | One or both |

                | option | meaning |
                |---|---|
                | `-j`, `--json` | Print a\\|b |
                | `--mode ID\\|all` | How |

                """)
        #expect(OptionTables.common.split(separator: "\n").count == 2 + CommandDeclaration.common.count)
    }
}
