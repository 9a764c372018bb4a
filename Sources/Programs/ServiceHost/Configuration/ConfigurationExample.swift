import TuttiCommandLineInterface

/// The commented configuration file of the package: every key, with its default.
package enum ConfigurationExample {
    /// The file's text; all its settings are comments, so it says the same as an empty file.
    package static var text: String {
        let tables = ConfigurationDeclaration.tables.map(table)
        return ([introduction] + tables).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Settings of 'tutti serve': /etc/tutti/tutti.toml, or ~/.config/tutti/tutti.toml for one user.
        #
        # Lines that begin with '#' are comments. Remove the '#' before a key to set it.
        # 'tutti config check' checks this file; tutti.conf(5) describes it.
        # A change of a key marked (live) is applied by a reload, others by a restart.
        """

    private static func table(_ table: ConfigurationTable) -> String {
        let keys = ConfigurationDeclaration.keys.filter { $0.table == table.name }
        return (["# \(table.help)\n[\(table.name)]"] + keys.map(entry)).joined(separator: "\n\n")
    }

    private static func entry(_ key: ConfigurationKey) -> String {
        let usual = key.defaultWords.map { " Default: \($0)." } ?? ""
        let comment = WrappedText.lines(key.help + usual + (key.isLive ? " (live)" : ""), limit: lineLimit)
        let value = key.example ?? key.value(in: defaults)
        return comment.map { "# \($0)\n" }.joined() + "#\(key.name) = \(value?.text ?? "")"
    }

    /// Settings whose values do not depend on a machine; keys that do have words instead.
    static let defaults = HouseSettings(name: "", database: "")

    private static let lineLimit = 96
}
