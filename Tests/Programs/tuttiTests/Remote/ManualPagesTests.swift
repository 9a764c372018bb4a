import Testing

@testable import TuttiCommandLineInterface
@testable import tutti

@Suite("The man pages of tutti")
struct ManualPagesTests {
    private static let macros: Set<Substring> = [
        ".\\\"", ".Ar", ".Bd", ".Bl", ".Cm", ".Dd", ".Dt", ".Ed", ".El", ".Ev", ".Fl", ".It", ".Nd", ".Nm",
        ".Op",
        ".Os", ".Pa", ".Pp", ".Sh", ".Xr",
    ]

    @Test("no line of a text has become a macro, and each list and display ends")
    func macros() {
        for (name, text) in ManualPages.all {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.last == "" && lines.filter(\.isEmpty).count == 1, "\(name) has empty lines")
            for line in lines where line.hasPrefix(".") {
                #expect(Self.macros.contains(line.prefix { $0 != " " }), "\(name): \(line)")
            }
            #expect(!lines.contains { $0.hasPrefix("'") }, "\(name)")
            func count(_ macro: String) -> Int { lines.count { $0.hasPrefix(macro) } }
            #expect(count(".Bl") == count(".El") && count(".Bd") == count(".Ed"), "\(name)")
        }
    }

    @Test("each command that people use has a page, and the program's page names it")
    func pages() throws {
        let pages = ManualPages.all
        let program = try #require(pages["tutti.1"])
        for command in Tutti.commands {
            let declaration = command.declaration
            let name = "tutti-\(declaration.name)"
            #expect((pages[name + ".1"] == nil) == declaration.isHidden, "\(name)")
            #expect(
                program.contains(".It Xr \(ManualText.escaped(name)) 1\n") != declaration.isHidden, "\(name)")
            guard let page = pages[name + ".1"] else { continue }
            for option in declaration.allOptions {
                #expect(page.contains("Fl \\-\(ManualText.escaped(option.name))"), "\(name): \(option.name)")
            }
        }
        for status in TuttiCommandLineInterface.ExitStatus.meanings {
            #expect(program.contains(".It \(status.status.rawValue)\n"))
        }
    }
}
