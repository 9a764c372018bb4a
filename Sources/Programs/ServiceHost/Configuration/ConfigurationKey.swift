/// A key of the configuration file: the single source for checking, the environment, `tutti config`, the commented
/// example and the man page.
package struct ConfigurationKey: Sendable {
    /// The name of the table, without brackets.
    package let table: String
    /// The name in the table.
    package let name: String
    /// The required form of the value.
    package let kind: ConfigurationKind
    /// Sentences for the example and the man page.
    package let help: String
    /// The default in words, where it depends on the machine or is absent.
    package let defaultWords: String?
    /// A value for the example, where there is no default to show.
    package let example: ConfigurationValue?
    /// Whether SIGHUP applies a change; other changes need a restart.
    package let isLive: Bool
    private let read: @Sendable (HouseSettings) -> ConfigurationValue?
    private let write: @Sendable (inout HouseSettings, ConfigurationValue) -> Bool
    /// Copies the setting from the first settings to the second ones.
    let copy: @Sendable (HouseSettings, inout HouseSettings) -> Void

    /// Declares a key.
    init<Value: ConfigurationRepresentable>(
        _ table: String, _ name: String, _ path: WritableKeyPath<HouseSettings, Value> & Sendable,
        _ kind: ConfigurationKind, isLive: Bool, defaultWords: String? = nil,
        example: ConfigurationValue? = nil, _ help: String
    ) {
        (self.table, self.name, self.kind, self.help) = (table, name, kind, help)
        (self.defaultWords, self.example, self.isLive) = (defaultWords, example, isLive)
        read = { $0[keyPath: path].configurationValue }
        write = { settings, value in
            guard let value = Value(value) else { return false }
            settings[keyPath: path] = value
            return true
        }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
    }

    /// The table and the name: `web.port`.
    package var id: String { "\(table).\(name)" }

    /// The spelling for messages: `[web] port`.
    package var spelled: String { "[\(table)] \(name)" }

    /// The environment variable that replaces the value in the file: `TUTTI_WEB_PORT`.
    package var variable: String {
        Self.variablePrefix + "\(table)_\(name)".uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    static let variablePrefix = "TUTTI_"

    /// Returns the value of settings; `nil` for a setting that is absent.
    package func value(in settings: HouseSettings) -> ConfigurationValue? { read(settings) }

    /// Checks a value and stores it.
    ///
    /// - Returns: The reason why the value is invalid; `nil` if it was stored.
    func store(_ value: ConfigurationValue, in settings: inout HouseSettings) -> String? {
        if let objection = kind.objection(to: value) { return objection }
        return write(&settings, value) ? nil : "must be \(kind.words)"
    }
}

/// A table of the configuration file.
package struct ConfigurationTable: Sendable {
    /// The name, without brackets.
    package let name: String
    /// A sentence for the example and the man page.
    package let help: String
}
