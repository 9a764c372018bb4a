/// The command line of one subcommand: the single source for parsing, `--help` and shell completion.
struct CommandDeclaration: Sendable {
    let name: String
    /// One line without a full stop, for the list of subcommands.
    let summary: String
    /// Paragraphs below the usage line, already wrapped.
    var discussion = ""
    var positionals: [PositionalDeclaration] = []
    var options: [OptionDeclaration] = []

    /// The options that every subcommand has besides its own.
    static let common = [
        OptionDeclaration.flag("help", short: "h", "Show this help")
    ]

    var allOptions: [OptionDeclaration] { options + Self.common }
}

/// An argument identified by its position.
struct PositionalDeclaration: Sendable {
    enum Count: Sendable {
        case one, optional, oneOrMore, any
    }

    /// The upper-case name for the usage line.
    let name: String
    var count = Count.one
    var kind = ValueKind.text
    let help: String

    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)..."
        case .any: "[\(name)...]"
        }
    }

    var isRequired: Bool { count == .one || count == .oneOrMore }
    var takesMany: Bool { count == .oneOrMore || count == .any }
}

/// An argument identified by its name.
struct OptionDeclaration: Sendable {
    enum Form: Equatable, Sendable {
        case flag
        /// An option with a value, allowed at most once.
        case value(name: String, ValueKind)
        /// An option with a value, allowed any number of times.
        case repeated(name: String, ValueKind)
    }

    /// The long name without the leading `--`.
    let name: String
    /// The short name without the leading `-`.
    let short: Character?
    let form: Form
    let help: String

    static func flag(_ name: String, short: Character? = nil, _ help: String) -> Self {
        Self(name: name, short: short, form: .flag, help: help)
    }

    static func value(
        _ name: String, short: Character? = nil, _ valueName: String, _ kind: ValueKind, _ help: String
    ) -> Self {
        Self(name: name, short: short, form: .value(name: valueName, kind), help: help)
    }

    static func repeated(
        _ name: String, short: Character? = nil, _ valueName: String, _ kind: ValueKind, _ help: String
    ) -> Self {
        Self(name: name, short: short, form: .repeated(name: valueName, kind), help: help)
    }

    var valueName: String? {
        switch form {
        case .flag: nil
        case .value(let name, _), .repeated(let name, _): name
        }
    }

    var kind: ValueKind? {
        switch form {
        case .flag: nil
        case .value(_, let kind), .repeated(_, let kind): kind
        }
    }

    /// The spelling for the help: `-t, --timeout SECONDS`.
    var usage: String {
        let names = short.map { "-\($0), --\(name)" } ?? "    --\(name)"
        return valueName.map { "\(names) \($0)" } ?? names
    }
}
