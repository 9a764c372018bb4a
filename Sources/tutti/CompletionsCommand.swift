import CommandLineInterface

/// The command `tutti completions bash`: prints a completion script for the shell.
enum CompletionsCommand: Command {
    static let declaration = CommandDeclaration(
        name: "completions",
        summary: "Print a completion script for the shell",
        discussion: "  source <(tutti completions bash)",
        positionals: [
            PositionalDeclaration(name: "SHELL", kind: .choice(["bash"]), help: "The shell: bash")
        ])

    static func run(_ arguments: ParsedArguments) async -> ExitStatus {
        let script = BashCompletion.script(for: Tutti.commands.map { $0.declaration })
        return StandardStream.output.write(script) ? .success : .failure
    }
}
