/// The command line of one subcommand: the single source for parsing, `--help` and shell completion.
public struct CommandDeclaration: Sendable {
    /// The name of the subcommand, or of a program without subcommands.
    public let name: String
    /// The program that the subcommand belongs to; `nil` for a program without subcommands.
    public var program: String?
    /// One line without a full stop, for the list of subcommands.
    public let summary: String
    /// Command lines that people begin with, the most common one first.
    public var examples: [CommandExample]
    /// Paragraphs below the examples, already wrapped.
    public var discussion: String
    /// The arguments identified by their position, in order.
    public var positionals: [PositionalDeclaration]
    /// The command's own options, without the common ones.
    public var options: [OptionDeclaration]
    /// Whether the list of subcommands leaves it out: a command for scripts.
    public var isHidden = false

    /// Declares a subcommand of `program`, or a program of its own if `program` is `nil`.
    public init(
        program: String? = "tutti", name: String, summary: String, examples: [CommandExample] = [],
        discussion: String = "", positionals: [PositionalDeclaration] = [], options: [OptionDeclaration] = []
    ) {
        (self.program, self.name, self.summary) = (program, name, summary)
        (self.examples, self.discussion) = (examples, discussion)
        (self.positionals, self.options) = (positionals, options)
    }

    /// The words that start the command: `tutti play`.
    public var invocation: String { program.map { "\($0) \(name)" } ?? name }

    /// The options that every subcommand has besides its own.
    public static let common: [OptionDeclaration] = [
        .flag("quiet", short: "q", "Print no hints and no progress"),
        .value(
            "color", "WHEN", .choice(Console.Color.allCases.map(\.rawValue)),
            "Colours: auto (default; not with NO_COLOR), always or never"),
        .flag("help", short: "h", "Show this help"),
    ]

    /// The command's own options, then the common ones.
    public var allOptions: [OptionDeclaration] { options + Self.common }
}

/// A command line that is worth trying.
public struct CommandExample: Sendable {
    /// The line as it is typed.
    public let line: String
    /// The effect in a few words; empty if the line says it.
    public let effect: String

    /// Makes an example.
    public init(_ line: String, _ effect: String) { (self.line, self.effect) = (line, effect) }
}

/// An argument identified by its position.
public struct PositionalDeclaration: Sendable {
    /// How many arguments the position takes.
    public enum Count: Sendable {
        case one, optional, oneOrMore, any
    }

    /// The upper-case name for the usage line.
    public let name: String
    /// How many arguments the position takes.
    public var count: Count
    /// The required form of each argument.
    public var kind: ValueKind
    /// The line for the help.
    public let help: String

    /// Declares an argument.
    public init(name: String, count: Count = .one, kind: ValueKind = .text, help: String) {
        (self.name, self.count, self.kind, self.help) = (name, count, kind, help)
    }

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
public struct OptionDeclaration: Sendable {
    /// Whether the option takes a value, and how often it may be given.
    public enum Form: Equatable, Sendable {
        case flag
        /// An option with a value, allowed at most once.
        case value(name: String, ValueKind)
        /// An option with a value, allowed any number of times.
        case repeated(name: String, ValueKind)
    }

    /// The long name without the leading `--`.
    public let name: String
    /// The short name without the leading `-`.
    public let short: Character?
    /// Whether the option takes a value, and how often it may be given.
    public let form: Form
    /// The line for the help.
    public let help: String

    /// Declares an option without a value.
    public static func flag(_ name: String, short: Character? = nil, _ help: String) -> Self {
        Self(name: name, short: short, form: .flag, help: help)
    }

    /// Declares an option with a value, allowed at most once.
    public static func value(
        _ name: String, short: Character? = nil, _ valueName: String, _ kind: ValueKind, _ help: String
    ) -> Self {
        Self(name: name, short: short, form: .value(name: valueName, kind), help: help)
    }

    /// Declares an option with a value, allowed any number of times.
    public static func repeated(
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
