/// The options of commands as tables in Markdown, generated from their declarations.
public enum OptionTables {
    /// A section for each command that is not hidden, with its usage, arguments and options.
    public static func sections(of commands: [CommandDeclaration]) -> String {
        commands.filter { !$0.isHidden }.map(section).joined(separator: "\n")
    }

    /// The table of the options that every command has.
    public static var common: String {
        table(CommandDeclaration.common.map { (usage($0), $0.help) }, "option")
    }

    private static func section(_ command: CommandDeclaration) -> String {
        var parts = ["## \(command.invocation)", command.summary + ".", "    " + HelpText.synopsis(command)]
        if !command.positionals.isEmpty {
            parts.append(table(command.positionals.map { ("`\(escaped($0.name))`", $0.help) }, "argument"))
        }
        if !command.options.isEmpty {
            parts.append(table(command.options.map { (usage($0), $0.help) }, "option"))
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static func table(_ rows: [(name: String, text: String)], _ heading: String) -> String {
        (["| \(heading) | meaning |", "|---|---|"]
            + rows.map { "| \($0.name) | \(escaped($0.text.replacing("\n", with: " "))) |" })
            .joined(separator: "\n")
    }

    private static func usage(_ option: OptionDeclaration) -> String {
        let names = option.short.map { "`-\($0)`, " } ?? ""
        let value = option.valueName.map { " \(escaped($0))" } ?? ""
        return "\(names)`--\(option.name)\(value)`"
    }

    /// A bar would begin the next cell.
    private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
