import Foundation
import Testing

@testable import TuttiCommandLineInterface

@Suite("The look of text")
struct ConsoleTests {
    @Test("colours are for terminals, and NO_COLOR, TERM=dumb and --color change that")
    func colors() {
        func hasColor(_ color: Console.Color, tty: Bool = true, no: String? = nil, term: String? = "xterm")
            -> Bool
        {
            Console.hasColor(color, isTerminal: tty, noColor: no, term: term)
        }
        #expect(hasColor(.auto))
        #expect(!hasColor(.auto, tty: false))
        #expect(!hasColor(.auto, no: "1"))
        #expect(hasColor(.auto, no: ""), "an empty NO_COLOR does not count")
        #expect(!hasColor(.auto, term: "dumb"))
        #expect(hasColor(.always, tty: false, no: "1", term: "dumb"))
        #expect(!hasColor(.never))
    }

    @Test("a message names the command; the journal gets its priority")
    func messages() {
        func line(_ importance: Console.Importance, color: Bool = false, journal: Bool = false) -> String {
            Console.line(importance, "tutti play", "no sound", hasColor: color, isJournal: journal)
        }
        #expect(line(.error) == "tutti play: no sound\n")
        #expect(line(.warning) == "tutti play: warning: no sound\n")
        #expect(line(.error, journal: true) == "<3>tutti play: no sound\n")
        #expect(line(.warning, color: true, journal: true) == "<4>tutti play: no sound\n")
        #expect(line(.warning, color: true) == "tutti play: \u{1B}[33mwarning: \u{1B}[0mno sound\n")
    }

    @Test("an erased block leaves room for a line, and is drawn anew below it")
    func erase() {
        var screen = LiveScreen()
        #expect(screen.erase().isEmpty)
        let size = Terminal.Size(columns: 20, rows: 10)
        let first = screen.frame(["a", "b"], size: size)
        #expect(screen.erase() == "\u{1B}[2A\r\u{1B}[J")
        #expect(screen.frame(["a", "b"], size: size) == first, "as if nothing were drawn")
    }
}

@Suite("Secrets of the command line")
struct SecretOptionTests {
    private static let declaration = CommandDeclaration(
        name: "play", summary: "Play", options: SecretOption.password("Password"))

    private static func password(_ words: String...) throws(UsageError) -> String? {
        try SecretOption.read(try ArgumentParser.parse(words, as: declaration), of: declaration)
    }

    private static func file(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("secret-\(UUID())").path
        try #require(
            FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
        return path
    }

    @Test("the first line of the file is the password")
    func file() throws {
        let path = try Self.file("open sesame \r\nmore\n")
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try Self.password("--password-file", path) == "open sesame ")
        #expect(try Self.password() == nil)
    }

    @Test("a file that is missing or empty, and two passwords, are errors with a reason")
    func mistakes() throws {
        let empty = try Self.file("")
        defer { try? FileManager.default.removeItem(atPath: empty) }
        #expect(throws: UsageError("--password-file: there is no password in \(empty)")) {
            try Self.password("--password-file", empty)
        }
        #expect(throws: UsageError("--password and --password-file exclude each other")) {
            try Self.password("--password-file", empty, "--password", "a")
        }
        let missing = #expect(throws: UsageError.self) {
            try Self.password("--password-file", "/nonexistent/a")
        }
        #expect(missing?.status == .notFound)
    }

    @Test("a typed secret can be corrected; a line of a pipe is taken as it is")
    func typed() {
        var typed = SecretInput.SecretLine(isTyped: true)
        let keys = Array("abx\u{7F}é\u{7F}c".utf8)
        #expect(keys.allSatisfy { !typed.take($0) })
        let isTyped = typed.take(0x0A)
        #expect(isTyped)
        #expect(typed.text == "abc")
        var piped = SecretInput.SecretLine(isTyped: false)
        #expect(Array(" a\u{7F} \r".utf8).allSatisfy { !piped.take($0) })
        let isPiped = piped.take(0x0A)
        #expect(isPiped)
        #expect(piped.text == " a\u{7F} ")
    }

    @Test("a long line of a secret does not grow without limit")
    func longSecret() {
        var line = SecretInput.SecretLine(isTyped: false)
        for _ in 0..<100_000 { _ = line.take(0x61) }
        #expect(line.bytes.count == 1024)
    }
}

@Suite("Keys of a typed secret")
struct SecretLineTests {
    static let lines: [(typed: String, text: String)] = [
        ("\u{7F}\u{7F}abc\n", "abc"), ("ab\u{8}\n", "a"), ("a🎵\u{7F}b\n", "ab"), ("é\u{7F}\u{7F}x\n", "x"),
        ("abc\u{15}d\n", "d"), ("\u{15}\n", ""), ("abc\u{4}", "abc"), ("\u{4}", ""), (" a b \n", " a b "),
        ("abc\r\n", "abc"), ("a\u{3}b\n", "a\u{3}b"),
    ]

    @Test("keys that edit a line do so, and the others belong to the secret", arguments: lines)
    func edits(typed: String, text: String) {
        var line = SecretInput.SecretLine(isTyped: true)
        let ends = Array(typed.utf8).map { line.take($0) }
        #expect(ends.dropLast().allSatisfy { !$0 })
        #expect(ends.last == true)
        #expect(line.text == text)
    }

    @Test("a line of a file keeps the bytes of such keys, and one carriage return ends it")
    func file() {
        var line = SecretInput.SecretLine(isTyped: false)
        let ends = Array("a\u{4}\u{8}\u{15}\u{7F}b\r\r".utf8).map { line.take($0) }
        #expect(ends.allSatisfy { !$0 })
        #expect(line.text == "a\u{4}\u{8}\u{15}\u{7F}b\r")
    }
}
