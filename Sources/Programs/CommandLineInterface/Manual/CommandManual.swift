/// The man pages of the commands, generated from their declarations.
public enum CommandManual {
    /// The page of one command, `tutti-play(1)`.
    ///
    /// - Parameter others: The names of pages to point to, such as `tutti(1)`.
    public static func page(of declaration: CommandDeclaration, seeAlso others: [String]) -> String {
        let name = pageName(declaration)
        var parts = [heading(name), title(name, declaration.summary), synopsis(declaration)]
        parts.append(".Sh DESCRIPTION\n" + ManualText.sentences(declaration.summary + "."))
        parts += paragraphs(declaration.discussion)
        if !declaration.positionals.isEmpty {
            parts.append(
                ".Pp\nThe arguments:\n" + list(declaration.positionals.map { (argument($0.name), $0.help) }))
        }
        parts.append(".Pp\nThe options:\n" + list(declaration.allOptions.map { (item($0), $0.help) }))
        if !declaration.examples.isEmpty {
            parts.append(".Sh EXAMPLES\n" + list(declaration.examples.map { (command($0.line), $0.effect) }))
        }
        parts.append(links(others))
        return parts.joined(separator: "\n") + "\n"
    }

    /// The page of the program, `tutti(1)`, with a list of its commands.
    ///
    /// - Parameters:
    ///   - examples: Command lines that people begin with.
    ///   - closing: Further sections, in mdoc's macros.
    public static func page(
        ofProgram name: String, summary: String, commands: [CommandDeclaration], examples: [CommandExample],
        closing: [String], seeAlso others: [String]
    ) -> String {
        let shown = commands.filter { !$0.isHidden }
        let parts =
            [
                heading(name), title(name, summary), ".Sh SYNOPSIS\n.Nm \(name)\n.Ar command\n.Op Ar options",
                ".Sh DESCRIPTION\n" + ManualText.sentences(summary + "."),
                ".Pp\nEach command has a page of its own:\n"
                    + list(shown.map { (".It Xr \(ManualText.escaped(pageName($0))) 1", $0.summary) }),
            ] + closing + [
                ".Sh EXAMPLES\n" + list(examples.map { (command($0.line), $0.effect) }), links(others),
            ]
        return parts.joined(separator: "\n") + "\n"
    }

    /// The name of a command's page: `tutti-play`.
    public static func pageName(_ declaration: CommandDeclaration) -> String {
        declaration.invocation.replacing(" ", with: "-")
    }

    private static func heading(_ name: String) -> String {
        """
        .\\" Generated from the declaration of the command; do not edit.
        .Dd \(ManualText.date)
        .Dt \(name.uppercased()) 1
        .Os
        """
    }

    /// The summary begins in lower case there.
    private static func title(_ name: String, _ summary: String) -> String {
        let words = summary.prefix(1).lowercased() + summary.dropFirst()
        return ".Sh NAME\n.Nm \(ManualText.escaped(name))\n.Nd \(ManualText.escaped(words))"
    }

    private static func synopsis(_ declaration: CommandDeclaration) -> String {
        let arguments = declaration.positionals.map { positional in
            let name = ManualText.escaped(positional.name) + (positional.takesMany ? " ..." : "")
            return positional.isRequired ? ".Ar \(name)" : ".Op Ar \(name)"
        }
        return ([".Sh SYNOPSIS", ".Nm \(declaration.invocation)", ".Op Ar options"] + arguments)
            .joined(separator: "\n")
    }

    /// Paragraphs of sentences are filled; tables of words keep their lines.
    private static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n\n").map { paragraph in
            let lines = paragraph.split(separator: "\n")
            let isTable = lines.contains { $0.hasPrefix(" ") || $0.contains("   ") }
            return isTable
                ? ".Bd -literal -offset indent\n"
                    + lines.map { ManualText.escaped(String($0)) }.joined(separator: "\n")
                    + "\n.Ed"
                : ".Pp\n" + ManualText.sentences(lines.joined(separator: " "))
        }
    }

    private static func list(_ rows: [(item: String, text: String)]) -> String {
        let entries = rows.map { item, text in
            let words = text.replacing("\n", with: " ")
            return words.isEmpty
                ? item : item + "\n" + ManualText.sentences(words + (words.hasSuffix(".") ? "" : "."))
        }
        return ([".Bl -tag -width indent"] + entries + [".El"]).joined(separator: "\n")
    }

    private static func argument(_ name: String) -> String { ".It Ar \(ManualText.escaped(name))" }

    private static func command(_ line: String) -> String { ".It Ic \(ManualText.escaped(line))" }

    private static func item(_ option: OptionDeclaration) -> String {
        let short = option.short.map { "Fl \($0) , " } ?? ""
        let value = option.valueName.map { " Ar " + ManualText.escaped($0) } ?? ""
        return ".It \(short)Fl \\-\(ManualText.escaped(option.name))\(value)"
    }

    private static func links(_ names: [String]) -> String {
        let rows = names.map { name in
            let parts = name.dropLast().split(separator: "(")
            return ".Xr \(ManualText.escaped(String(parts[0]))) \(parts.count > 1 ? String(parts[1]) : "1")"
        }
        return ".Sh SEE ALSO\n" + rows.joined(separator: " ,\n")
    }
}
