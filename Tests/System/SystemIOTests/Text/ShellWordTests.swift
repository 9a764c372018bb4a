import Testing
import TuttiSystemIO

@Suite("Words of a command line to copy")
struct ShellWordTests {
    @Test(
        "a name is one word",
        arguments: [
            ("Living Room (2)", "\"Living Room (2)\""), ("Küche", "\"Küche\""), ("$(reboot)", "'$(reboot)'"),
            ("a'; reboot `b`", "'a'\\''; reboot `b`'"), ("say \"hi\"!", "'say \"hi\"!'"), ("#1", "'#1'"),
            // Marks that combine with the quotes.
            ("a'\u{301};id", "'a'\\''\u{301};id'"), ("a\u{600}';id", "'a\u{600}'\\'';id'"),
            ("a\"\u{301}", "'a\"\u{301}'"),
        ])
    func quotes(name: String, word: String) {
        #expect(Array(ShellWord.quoted(name).unicodeScalars) == Array(word.unicodeScalars))
    }
}
