import TuttiCommandLineInterface

/// The command `tutti completions`: prints a completion script for the shell.
enum CompletionsCommand: Command {
    static let declaration = CommandDeclaration(
        name: "completions",
        summary: "Print a completion script for the shell",
        examples: [
            CommandExample("source <(tutti completions bash)", "in ~/.bashrc"),
            CommandExample("tutti completions fish | source", "in ~/.config/fish/config.fish"),
        ],
        discussion: """
              source <(tutti completions bash)       in ~/.bashrc
              source <(tutti completions zsh)        in ~/.zshrc, after compinit
              tutti completions fish | source        in ~/.config/fish/config.fish

            Completes commands, options and files, and the names of zones, rooms and entries of the running
            service.
            """,
        positionals: [
            PositionalDeclaration(
                name: "SHELL", kind: .choice(CompletionScript.allCases.map(\.rawValue)),
                help: "The shell: bash, zsh or fish")
        ])

    static func run(_ arguments: ParsedArguments) async -> ExitStatus {
        let script = arguments.positional(0).flatMap(CompletionScript.init)
        return StandardStream.output.write(script?.text ?? "") ? .success : .failure
    }
}
