import Testing

@testable import TuttiCommandLineInterface

@Suite("Man pages of commands")
struct CommandManualTests {
    static let declaration = CommandDeclaration(
        name: "first", summary: "Do it",
        examples: [
            CommandExample("tutti first 'a b' --mode a", "what people want"),
            CommandExample("tutti first .", ""),
        ],
        discussion: """
            One sentence. Another with a \\ and a
            second line.

            tutti first x    a table
            .tutti first y   keeps its lines
            """,
        positionals: [
            PositionalDeclaration(name: "FILE", count: .oneOrMore, kind: .file, help: "What to do")
        ],
        options: [.value("mode", short: "m", "MODE", .choice(["a", "b"]), "How to do it,\nor not")])

    @Test("have the sections of mdoc, in its order")
    func sections() {
        let page = CommandManual.page(of: Self.declaration, seeAlso: ["tutti(1)", "tutti.conf(5)"])
        let headings = page.split(separator: "\n").filter {
            $0.hasPrefix(".Sh") || $0.hasPrefix(".D") || $0 == ".Os"
        }
        #expect(
            headings == [
                ".Dd \(ManualText.date)", ".Dt TUTTI-FIRST 1", ".Os", ".Sh NAME", ".Sh SYNOPSIS",
                ".Sh DESCRIPTION",
                ".Sh EXAMPLES", ".Sh SEE ALSO",
            ])
        #expect(page.hasSuffix(".Sh SEE ALSO\n.Xr tutti 1 ,\n.Xr tutti.conf 5\n"))
    }

    @Test("say everything that the declaration says")
    func content() {
        let page = CommandManual.page(of: Self.declaration, seeAlso: ["tutti(1)"])
        for part in [
            ".Nm tutti\\-first\n.Nd do it", ".Nm tutti first\n.Op Ar options\n.Ar FILE ...",
            ".Pp\nOne sentence.\nAnother with a \\e and a second line.\n", ".It Ar FILE\nWhat to do.",
            ".It Fl m , Fl \\-mode Ar MODE\nHow to do it, or not.", ".It Fl h , Fl \\-help\nShow this help.",
            ".It Ic tutti first \\(aqa b\\(aq \\-\\-mode a\nwhat people want.", ".It Ic tutti first .\n",
        ] {
            #expect(page.contains(part))
        }
    }

    @Test("keep the lines of a table, none of which becomes a macro")
    func tables() {
        let page = CommandManual.page(of: Self.declaration, seeAlso: ["tutti(1)"])
        let table =
            ".Bd -literal -offset indent\ntutti first x    a table\n\\&.tutti first y   keeps its lines\n.Ed"
        #expect(page.contains(table))
    }

    @Test("a program's page lists its commands, without hidden ones")
    func program() {
        var hidden = CommandDeclaration(name: "hidden", summary: "Be unseen")
        hidden.isHidden = true
        let page = CommandManual.page(
            ofProgram: "tutti", summary: "Play music", commands: [Self.declaration, hidden],
            examples: Self.declaration.examples, closing: [".Sh FILES\nnone"], seeAlso: ["tutti.conf(5)"])
        #expect(page.contains(".It Xr tutti\\-first 1\nDo it.") && !page.contains("hidden"))
        #expect(page.contains(".Nd play music") && page.contains(".Sh FILES\nnone\n.Sh EXAMPLES"))
    }
}
