import Foundation
import Testing
import TuttiTestSupport

@testable import TuttiCommandLineInterface

@Suite("Completion of command lines", .tags(.machine))
struct CompletionTests {
    static let commands = [InvocationTests.First.declaration, InvocationTests.Second.declaration]

    static let cases: [([String], [String])] = [
        (["sec"], ["second"]), (["--v"], ["--version"]), (["first", "--mo"], ["--mode"]),
        (["first", "--mode", ""], ["a", "b"]),
        (["first", "--mode", "A"], ["a"]), (["first", "-m", "b"], ["b"]),
        (["first", "--mode=b"], ["--mode=b"]),
        (["first", "--mode", "a", "--mo"], []), (["second", "--"], ["--quiet", "--color", "--help"]),
        (["second", "--", "--"], []),
        (["second", "x"], []),
        (["third", ""], []), (["help", ""], ["first", "second"]), (["help", "first", ""], []),
        (["--"], ["--version", "--quiet", "--color", "--help"]), (["--q"], ["--quiet"]),
        (["-q", "sec"], ["second"]), (["--color", "never", "sec"], ["second"]),
        (["--color=never", "-q", "--"], ["--version", "--help"]),
        (["--color", ""], ["auto", "always", "never"]), (["-q", "--color", "al"], ["always"]),
        (["--color=n"], ["--color=never"]),
        (["-q", "help", "s"], ["second"]), (["-q", "second", "--"], ["--color", "--help"]),
        (["-q", "first", "--mode", "b"], ["b"]), (["--unknown", "sec"], []),
    ]

    @Test("offers what the declarations say", arguments: cases)
    func completes(words: [String], expected: [String]) async {
        let completion = await Completion.answer(
            Array(words.dropLast()), current: words.last ?? "", commands: Self.commands, names: { _ in nil })
        guard case .words(let found) = completion else { return #expect(expected.isEmpty) }
        #expect(found.map(\.value) == expected)
    }

    @Test("leaves out what cannot be typed, and gives the options on the line to the source of names")
    func names() async {
        let completion = await Completion.answer(
            ["first", "--mode=a", "x"], current: "k", commands: Self.commands
        ) { request in
            #expect(request.options == ["mode": "a"])
            return .words(["Kitchen", "K\n", "k\u{1B}", "Bath", ""].map { CompletionCandidate($0) })
        }
        guard case .words(let found) = completion else { return }
        #expect(found.map(\.value) == ["Kitchen"] || found.isEmpty)
    }

    @Test(
        "a line is split as a shell splits it, and nothing is evaluated",
        arguments: [
            ("tutti a b", ["tutti", "a"], "b"), ("tutti 'a b' c\\ d ", ["tutti", "a b", "c d"], ""),
            ("x \"a\\\"b\\c", ["x"], "a\"b\\c"),
            ("x '$(rm)'y", ["x"], "$(rm)y"), ("x ''", ["x"], ""), ("x '' y", ["x", ""], "y"),
        ] as [(String, [String], String)])
    func splits(line: String, words: [String], current: String) {
        let split = ShellWords(line)
        #expect(split.words == words)
        #expect(split.current == current)
    }

    static let bashCases: [(String, String, String)] = [
        ("x k", "k", #"Kitchen:\ left"#), ("x \"k", "\"k", "Kitchen: left"), ("x 'k", "'k", "Kitchen: left"),
        ("x Kitchen:", ":", #"\ left"#), ("x Kitchen\\:", "Kitchen\\:", #"Kitchen:\ left"#),
        ("x b", "b", #"Bob\'s\ \"den\""#),
        ("x \"b", "\"b", #"Bob's \"den\"""#), ("x 'b", "'b", #"Bob'\''s "den""#), ("x $", "$", #"\$HOME"#),
    ]

    @Test("bash gets words in its own quotes, without the part that it keeps", arguments: bashCases)
    func bash(line: String, word: String, expected: String) async {
        let names = ["Kitchen: left", "Bob's \"den\"", "$HOME"]
        let text = await CompletionReply.bash(line: line, word: word) { words, current in
            #expect(words.isEmpty)
            return .words(
                names.filter { $0.lowercased().hasPrefix(current.lowercased()) }.map {
                    CompletionCandidate($0)
                })
        }
        #expect(text == "words\n\(expected)\n")
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// Words of characters that shells treat in a special way.
    private static let awkwardWords: [String] = {
        var generator = SeededGenerator(seed: 7)
        let special = Array(#" "'\$`!&|;<>()[]{}*?^,~#=:%@+-"#.unicodeScalars)
        let scalars = special + "aé音\u{0600}\u{0301}".unicodeScalars
        let random = (0..<500).map { _ in
            text(
                (0..<Int.random(in: 1...8, using: &generator)).compactMap { _ in
                    scalars.randomElement(using: &generator)
                })
        }
        // Swift's characters join these marks with the special ones beside them; shells do not.
        let joined = special.flatMap { scalar in
            [
                text(["a", "\u{0600}", scalar, "b"]), text(["a", scalar, "\u{0301}", "b"]),
                text([scalar, "\u{0301}"]), text(["\u{0600}", scalar]),
            ]
        }
        return random + joined
    }()

    @Test("each word that bash inserts means the candidate, in every quotation")
    func quotation() throws {
        var typed: [String] = []
        for word in Self.awkwardWords {
            typed.append(ShellWords.quoted(word, within: .none))
            for (quote, mark) in [(ShellWords.Quote.single, "'"), (.double, "\"")] {
                let inside = ShellWords.quoted(word, within: quote)
                // Bash closes the quotation unless the word ends with its mark.
                typed.append(mark + inside + (inside.hasSuffix(mark) ? "" : mark))
            }
        }
        for (index, text) in typed.enumerated() {
            let split = ShellWords("x " + text + " ")
            #expect(split.words.dropFirst() == [Self.awkwardWords[index / 3]], "\(text)")
        }
        guard FileManager.default.isExecutableFile(atPath: "/bin/bash") else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["--norc", "-c", "printf '%s\\n' \(typed.joined(separator: " "))"]
        process.environment = ["LC_ALL": "C.UTF-8", "HOME": "/home/other"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.dropLast().map(String.init) == typed.indices.map { Self.awkwardWords[$0 / 3] })
    }

    @Test(
        "bash gets the rest of a word that it keeps in another form, or in other capitals",
        arguments: [
            ("x e\u{301}:b", "b", "É:bad", "bad"), ("x \u{c9}:b", "b", "e\u{301}:bad", "bad"),
            ("x a\u{301}:", ":", "a\u{301}:\u{301};id", "\u{301}\\;id"), ("x k:", ":", "Other", nil),
        ] as [(String, String, String, String?)])
    func keptForms(line: String, word: String, name: String, rest: String?) async {
        let text = await CompletionReply.bash(line: line, word: word) { _, _ in
            .words([CompletionCandidate(name)])
        }
        let expected = rest.map { "words\n\($0)\n" } ?? "words\n"
        #expect(Array(text.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(
        "names with invisible characters are left out",
        arguments: [
            "Kitchen\u{0600};id", "K\u{AD}", "K\u{200B}", "K\u{202E}", "K\u{7F}", "K\u{2028}x", "K\tx",
        ])
    func invisible(name: String) async {
        let names = [name, "Kitchen\u{0301};id"]
        let completion = await Completion.answer(
            ["first", "--mode"], current: "", commands: Self.commands
        ) { _ in .words(names.map { CompletionCandidate($0) }) }
        guard case .words(let found) = completion else {
            Issue.record("no words")
            return
        }
        #expect(found.map(\.value) == ["a", "b", names[1]])
        #expect(CompletionReply.text(completion) == "words\na\nb\n\(names[1])\n")
    }

    @Test("zsh and fish get the words as they are, with a note")
    func others() {
        let completion = Completion.words([
            CompletionCandidate("a b", note: "c\u{1B}d"), CompletionCandidate("e"),
        ])
        #expect(CompletionReply.text(completion) == "words\na b\tc?d\ne\n")
        #expect(CompletionReply.text(.files) == "files\n")
        #expect(CompletionReply.words(["pause", "\"Kitchen: "]).current == "Kitchen: ")
    }

    @Test("the scripts are without mistakes of syntax", arguments: CompletionScript.allCases)
    func syntax(script: CompletionScript) throws {
        let path = ["/bin/\(script)", "/usr/bin/\(script)"].first(where: FileManager.default.isExecutableFile)
        guard let path else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-n", "-c", script.text]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
