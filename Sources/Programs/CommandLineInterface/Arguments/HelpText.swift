/// The text printed by `--help`.
public enum HelpText {
    /// Returns the help of one command.
    ///
    /// - Parameter hasColor: Whether headings stand out, on a terminal.
    public static func of(_ declaration: CommandDeclaration, hasColor: Bool = false) -> String {
        var paragraphs = [usageLine(declaration), declaration.summary + "."]
        if !declaration.examples.isEmpty {
            paragraphs.append(
                heading("Examples", hasColor)
                    + columns(declaration.examples.map { ($0.line, $0.effect) }, exampleLimit)
            )
        }
        if !declaration.discussion.isEmpty { paragraphs.append(declaration.discussion) }
        if !declaration.positionals.isEmpty {
            let rows = declaration.positionals.map { ($0.name, $0.help) }
            paragraphs.append(heading("Arguments", hasColor) + columns(rows))
        }
        paragraphs.append(
            heading("Options", hasColor) + columns(declaration.allOptions.map { ($0.usage, $0.help) }))
        return paragraphs.joined(separator: "\n\n") + "\n"
    }

    /// Formats command lines with their effects, a line each.
    public static func examples(_ examples: [CommandExample]) -> String {
        columns(examples.map { ($0.line, $0.effect) }, exampleLimit)
    }

    static func ofProgram(
        _ commands: [CommandDeclaration], examples: [CommandExample] = [], hasColor: Bool = false
    ) -> String {
        let shown = examples.isEmpty ? "" : heading("Examples", hasColor) + self.examples(examples) + "\n\n"
        let names = columns(commands.filter { !$0.isHidden }.map { ($0.name, $0.summary) })
        let options = columns(
            [("    --version", "Show the version")] + CommandDeclaration.common.map { ($0.usage, $0.help) })
        return """
            Usage: tutti COMMAND [OPTIONS]

            Plays music to AirPlay speakers.

            \(shown)\(heading("Commands", hasColor))\(names)

            \(heading("Options", hasColor))\(options)

            'tutti COMMAND --help' shows the options of one command.

            """
    }

    private static func heading(_ word: String, _ hasColor: Bool) -> String {
        (hasColor ? TextStyle.heading.applied(to: word + ":") : word + ":") + "\n"
    }

    static func usageLine(_ declaration: CommandDeclaration) -> String {
        "Usage: " + synopsis(declaration)
    }

    /// The command with its arguments: `tutti info [OPTIONS] SPEAKER`.
    static func synopsis(_ declaration: CommandDeclaration) -> String {
        ([declaration.invocation, "[OPTIONS]"] + declaration.positionals.map(\.usage)).joined(separator: " ")
    }

    /// Formats two columns; a left cell that is too long gets its own line.
    private static func columns(_ rows: [(String, String)], _ limit: Int = leftLimit) -> String {
        let width = min(rows.map { $0.0.count }.max() ?? 0, limit)
        return rows.map { left, right in
            guard !right.isEmpty else { return "  " + left }
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
    private static let exampleLimit = 60
}
