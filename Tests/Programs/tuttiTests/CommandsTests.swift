import Testing

@testable import TuttiCommandLineInterface
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

    @Test("the help of the program begins with the examples of the welcome")
    func helpOfProgram() throws {
        let examples = HelpText.examples(WelcomeCommand.examples)
        for words in [["help"], ["--help"], ["-q", "help"]] {
            guard case .print(let text) = Tutti.invocation(words) else { throw UsageError("nothing printed") }
            #expect(text.contains("speakers.\n\nExamples:\n\(examples)\n\nCommands:\n"))
        }
        for example in WelcomeCommand.examples {
            let words = example.line.split(separator: " ").dropFirst().map(String.init)
            guard case .run = Tutti.invocation(words) else {
                Issue.record("\(example.line)")
                continue
            }
        }
    }

    @Test("every example is a line that its command takes")
    func examples() throws {
        for command in Tutti.commands where !command.declaration.isHidden {
            #expect(!command.declaration.examples.isEmpty, "\(command.declaration.name)")
            for example in command.declaration.examples {
                let start = try #require(example.line.range(of: command.declaration.invocation)).lowerBound
                let own = example.line[start...].prefix { !"|>)".contains($0) }
                let words = ShellWords(own + " ").words
                let invocation = Invocation(Array(words.dropFirst()), commands: Tutti.commands, version: "")
                guard case .run(let found, _) = invocation else {
                    Issue.record("\(example.line): \(invocation)")
                    continue
                }
                #expect(found.declaration.name == command.declaration.name)
            }
        }
    }

    @Test("a wrong option without a command is refused by the program, whose help the message names")
    func optionAlone() throws {
        let complaints = [
            (["--color", "red"], "--color must be one of auto, always, never, not 'red'"),
            (["--color="], "--color must be one of auto, always, never, not ''"),
            (["-q", "--color"], "--color needs a value: --color WHEN"),
            (["--quiet=yes"], "--quiet takes no value"),
        ]
        for (words, text) in complaints {
            guard case .complain(let line) = Tutti.invocation(words) else { throw UsageError("no complaint") }
            #expect(line == "tutti: \(text); see 'tutti --help'")
        }
    }

    @Test("each command prints the same help by name and by option, and names itself in a wrong line")
    func helpOfEach() throws {
        for command in Tutti.commands {
            let name = command.declaration.name
            guard case .print(let text) = Tutti.invocation(["help", name]),
                case .print(let other) = Tutti.invocation([name, "--help"]),
                case .complain(let line) = Tutti.invocation([name, "--nonsense-option"])
            else {
                Issue.record("\(name)")
                continue
            }
            #expect(text == other && text.hasPrefix("Usage: tutti \(name) "))
            #expect(line == "tutti \(name): unknown option --nonsense-option; see 'tutti \(name) --help'")
        }
    }

    @Test("an argument that may be left out, or given often, is the last one or before such a one")
    func positionals() {
        for command in Tutti.commands {
            let places = command.declaration.positionals
            let optional = places.firstIndex { !$0.isRequired } ?? places.endIndex
            #expect(places[optional...].allSatisfy { !$0.isRequired }, "\(command.declaration.name)")
            #expect(places.dropLast().allSatisfy { !$0.takesMany }, "\(command.declaration.name)")
        }
    }

    @Test("no two commands have one name, and none that a word of the program has")
    func names() {
        let names = Tutti.commands.map { $0.declaration.name } + ["help"] + Tutti.programs.keys
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { !$0.hasPrefix("-") && !$0.contains(" ") })
    }

    @Test("access-notes is not a subcommand, and the error message names the program to run")
    func accessNotes() throws {
        let invocation = Invocation(
            ["access-notes", "Sources"], commands: Tutti.commands, version: Tutti.version,
            programs: Tutti.programs)
        guard case .complain(let line) = invocation else { throw UsageError("no complaint") }
        #expect(line == "tutti: 'access-notes' is a separate program: run 'access-notes'")
    }
}
