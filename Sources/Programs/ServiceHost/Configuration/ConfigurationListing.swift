/// The settings in force, in the spelling of the file, each with its source.
package struct ConfigurationListing: Sendable {
    private let reading: ConfigurationReading

    /// Creates the listing of a configuration.
    package init(_ reading: ConfigurationReading) { self.reading = reading }

    /// One line for each table and key; the lines are a valid configuration file.
    package var lines: [String] {
        ConfigurationDeclaration.tables.flatMap { table in
            ["[\(table.name)]"] + ConfigurationDeclaration.keys.filter { $0.table == table.name }.map(line)
                + [""]
        }.dropLast()
    }

    private func line(_ key: ConfigurationKey) -> String {
        guard let value = key.value(in: reading.settings) else {
            return "# \(key.name) is not set: \(key.defaultWords ?? "no default")"
        }
        let assignment = "\(key.name) = \(value.text)"
        let gap = String(repeating: " ", count: max(1, Self.column - assignment.count))
        return assignment + gap + "# " + source(of: key)
    }

    private func source(of key: ConfigurationKey) -> String {
        switch reading.origins[key.id] {
        case .line(let line): "line \(line)"
        case .variable(let name): name
        case nil: "default"
        }
    }

    /// The column of the sources; longer settings push theirs to the right.
    private static let column = 40
}
