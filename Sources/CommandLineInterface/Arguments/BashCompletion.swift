/// The script printed by `tutti completions bash`.
public enum BashCompletion {
    /// Returns the script for a program with these subcommands.
    public static func script(for commands: [CommandDeclaration]) -> String {
        let cases = commands.map(commandCase).joined(separator: "\n")
        let names = commands.map(\.name).joined(separator: " ")
        return """
            # bash completion for tutti: source this file, or put it into
            # ~/.local/share/bash-completion/completions/tutti
            _tutti() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                local words="" files=0
                if [ "$COMP_CWORD" -le 1 ]; then
                    words="\(names) --help --version"
                else
                    case ${COMP_WORDS[1]} in
            \(cases)
                    esac
                fi
                COMPREPLY=($(compgen -W "$words" -- "$current"))
                if [ "$files" = 1 ] && [[ $current != -* ]]; then
                    compopt -o filenames
                    COMPREPLY+=($(compgen -f -- "$current"))
                fi
            }
            complete -F _tutti tutti

            """
    }

    private static func commandCase(_ command: CommandDeclaration) -> String {
        let valued = command.allOptions.filter { $0.kind != nil }.map(optionCase)
        let others =
            "*) "
            + offer(words: optionNames(command) + positionalChoices(command), files: takesFiles(command))
        let inner = (valued + [others]).map { "                \($0) ;;" }.joined(separator: "\n")
        return """
                    \(command.name))
                        case $previous in
            \(inner)
                        esac ;;
            """
    }

    /// Returns the completions for the value of an option.
    private static func optionCase(_ option: OptionDeclaration) -> String {
        let names = option.short.map { "-\($0)|--\(option.name)" } ?? "--\(option.name)"
        let body: String =
            switch option.kind {
            case .choice(let choices): offer(words: choices, files: false)
            case .file: offer(words: [], files: true)
            default: offer(words: [], files: false)
            }
        return "\(names)) \(body)"
    }

    private static func offer(words: [String], files: Bool) -> String {
        "words=\"\(words.joined(separator: " "))\"" + (files ? " files=1" : "")
    }

    private static func optionNames(_ command: CommandDeclaration) -> [String] {
        command.allOptions.map { "--\($0.name)" }
    }

    private static func positionalChoices(_ command: CommandDeclaration) -> [String] {
        command.positionals.flatMap { positional -> [String] in
            if case .choice(let choices) = positional.kind { choices } else { [] }
        }
    }

    private static func takesFiles(_ command: CommandDeclaration) -> Bool {
        command.positionals.contains { $0.kind == .file }
    }
}
