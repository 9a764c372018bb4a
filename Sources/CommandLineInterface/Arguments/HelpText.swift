/// The text printed by `--help`.
public enum HelpText {
    /// Returns the help of one command.
    public static func of(_ declaration: CommandDeclaration) -> String {
        var paragraphs = [usageLine(declaration), declaration.summary + "."]
        if !declaration.discussion.isEmpty { paragraphs.append(declaration.discussion) }
        if !declaration.positionals.isEmpty {
            let rows = declaration.positionals.map { ($0.name, $0.help) }
            paragraphs.append("Arguments:\n" + columns(rows))
        }
        paragraphs.append("Options:\n" + columns(declaration.allOptions.map { ($0.usage, $0.help) }))
        return paragraphs.joined(separator: "\n\n") + "\n"
    }

    static func ofProgram(_ commands: [CommandDeclaration]) -> String {
        """
        Usage: tutti COMMAND [OPTIONS]

        Plays music to AirPlay speakers.

        Commands:
        \(columns(commands.map { ($0.name, $0.summary) }))

        Options:
        \(columns([("-h, --help", "Show this help"), ("    --version", "Show the version")]))

        'tutti COMMAND --help' shows the options of one command.

        """
    }

    static func usageLine(_ declaration: CommandDeclaration) -> String {
        (["Usage:", declaration.invocation, "[OPTIONS]"] + declaration.positionals.map(\.usage))
            .joined(separator: " ")
    }

    /// Formats two columns; a left cell that is too long gets its own line.
    private static func columns(_ rows: [(String, String)]) -> String {
        let width = min(rows.map { $0.0.count }.max() ?? 0, leftLimit)
        return rows.map { left, right in
            let gap =
                left.count <= width
                ? String(repeating: " ", count: width - left.count + 2)
                : "\n" + String(repeating: " ", count: width + 4)
            let indented = right.split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: "\n" + String(repeating: " ", count: width + 4))
            return "  " + left + gap + indented
        }.joined(separator: "\n")
    }

    private static let leftLimit = 30
}
