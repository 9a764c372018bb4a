import Testing

@testable import CommandLineInterface
@testable import tutti

@Suite("Subcommands of tutti")
struct CommandsTests {
    @Test("the help of every subcommand has no lines too long for a terminal")
    func realHelp() {
        for command in Tutti.commands {
            let text = HelpText.of(command.declaration)
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(command.declaration.name)")
        }
    }

    @Test("no subcommand declares an option twice, or a name that cannot be typed")
    func declarations() {
        for command in Tutti.commands {
            let options = command.declaration.allOptions
            #expect(Set(options.map(\.name)).count == options.count)
            let letters = options.compactMap(\.short)
            #expect(Set(letters).count == letters.count)
            #expect(options.allSatisfy { $0.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" } })
        }
    }

    @Test("access-notes is not a subcommand, and the error message names the program to run")
    func accessNotes() throws {
        let invocation = Invocation(
            ["access-notes", "Sources"], commands: Tutti.commands, version: Tutti.version,
            programs: Tutti.programs)
        guard case .complain(let line) = invocation else { throw UsageError("no complaint") }
        #expect(line == "tutti: 'access-notes' is now a program of its own: run 'access-notes'")
    }
}
