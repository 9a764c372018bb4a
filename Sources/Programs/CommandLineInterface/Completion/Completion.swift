/// A word that the shell may insert.
public struct CompletionCandidate: Hashable, Sendable {
    /// The word as the program takes it, without a shell's quotes.
    public let value: String
    /// A few words about it, for shells that show them; empty for none.
    public let note: String

    /// Creates a candidate.
    public init(_ value: String, note: String = "") { (self.value, self.note) = (value, note) }
}

/// The argument that a shell completes, and those before it.
public struct CompletionRequest: Equatable, Sendable {
    /// The name of the subcommand.
    public let command: String
    /// The option whose value it is, without dashes; `nil` for an argument identified by its position.
    public let option: String?
    /// The positional arguments before it.
    public let positionals: [String]
    /// The values of the options on the line, by name.
    public let options: [String: String]
    /// The part that is typed already.
    public let current: String

    /// Creates a request.
    public init(
        command: String, option: String? = nil, positionals: [String] = [], options: [String: String] = [:],
        current: String = ""
    ) {
        (self.command, self.option, self.positionals) = (command, option, positionals)
        (self.options, self.current) = (options, current)
    }
}

/// The answer to a shell.
public enum Completion: Equatable, Sendable {
    /// The shell completes the name of a file.
    case files
    /// The shell offers these words.
    case words([CompletionCandidate])

    /// Completes the last word of a command line.
    ///
    /// - Parameters:
    ///   - words: The whole words between the program's name and the last one, without quotes.
    ///   - current: The last word so far, without quotes; may be empty.
    ///   - names: Returns words that only the running program knows; `nil` leaves it to the declaration.
    public static func answer(
        _ words: [String], current: String, commands: [CommandDeclaration],
        names: (CompletionRequest) async -> Completion?
    ) async -> Completion {
        let (common, rest) = Invocation.leadingOptions(words)
        guard let first = rest.first else { return await ofProgram(common, current, commands) }
        if first == "help" { return .words(matching(current, rest.count == 1 ? visible(commands) : [])) }
        guard let command = commands.first(where: { $0.name == first }) else { return .words([]) }
        let line = CompletionLine(common + rest.dropFirst(), of: command)
        if let option = line.pending { return await value(of: option, current, line, command, names) }
        if !line.optionsEnded, current.hasPrefix("-") {
            return await option(current, line, command, names)
        }
        guard let positional = command.positional(at: line.positionals.count) else { return .words([]) }
        return answer(positional.kind, await names(line.request(command, nil, current)), current)
    }

    private static func option(
        _ current: String, _ line: CompletionLine, _ command: CommandDeclaration,
        _ names: (CompletionRequest) async -> Completion?
    ) async -> Completion {
        if let sign = current.firstIndex(of: "=") {
            let start = current[...sign]
            guard let option = command.option(start.dropFirst(2).dropLast()), option.kind != nil else {
                return .words([])
            }
            let typed = String(current[current.index(after: sign)...])
            guard case .words(let found) = await value(of: option, typed, line, command, names) else {
                return .files
            }
            return .words(found.map { CompletionCandidate(start + $0.value, note: $0.note) })
        }
        let open = command.allOptions.filter { option in
            if case .repeated = option.form { true } else { line.options[option.name] == nil }
        }
        return .words(
            matching(current, open.map { CompletionCandidate("--\($0.name)", note: firstLine(of: $0.help)) }))
    }

    private static func value(
        of option: OptionDeclaration, _ current: String, _ line: CompletionLine,
        _ command: CommandDeclaration,
        _ names: (CompletionRequest) async -> Completion?
    ) async -> Completion {
        answer(option.kind ?? .text, await names(line.request(command, option.name, current)), current)
    }

    private static func answer(_ kind: ValueKind, _ found: Completion?, _ current: String) -> Completion {
        switch found {
        case .files: .files
        case .words(let candidates): .words(matching(current, choices(kind) + candidates))
        case nil: kind == .file ? .files : .words(matching(current, choices(kind)))
        }
    }

    /// The options that may stand before the command.
    private static let program = CommandDeclaration(
        program: nil, name: "tutti", summary: "", options: [.flag("version", "Show the version")])

    /// Completes a word before the command.
    ///
    /// - Parameter common: The options before it, the last of which may lack its value.
    private static func ofProgram(
        _ common: [String], _ current: String, _ commands: [CommandDeclaration]
    ) async -> Completion {
        let line = CompletionLine(common, of: program)
        if let option = line.pending { return answer(option.kind ?? .text, nil, current) }
        guard current.hasPrefix("-") else { return .words(matching(current, visible(commands))) }
        return await option(current, line, program) { _ in nil }
    }

    private static func visible(_ commands: [CommandDeclaration]) -> [CompletionCandidate] {
        commands.filter { !$0.isHidden }.map { CompletionCandidate($0.name, note: $0.summary) }
    }

    private static func choices(_ kind: ValueKind) -> [CompletionCandidate] {
        if case .choice(let words) = kind { words.map { CompletionCandidate($0) } } else { [] }
    }

    /// Keeps what begins with the typed text, in capitals or not, and can be typed at all.
    private static func matching(
        _ current: String, _ candidates: [CompletionCandidate]
    ) -> [CompletionCandidate] {
        let start = current.lowercased()
        return candidates.filter {
            $0.value.lowercased().hasPrefix(start) && !$0.value.isEmpty && Printable.isTypable($0.value)
        }
    }

    private static func firstLine(of text: String) -> String { String(text.prefix { $0 != "\n" }) }
}

/// The words before the one that is completed.
struct CompletionLine {
    private(set) var positionals: [String] = []
    private(set) var options: [String: String] = [:]
    private(set) var optionsEnded = false
    /// The option that has no value yet.
    private(set) var pending: OptionDeclaration?

    init(_ words: some Sequence<String>, of command: CommandDeclaration) {
        for word in words { take(word, command) }
    }

    func request(_ command: CommandDeclaration, _ option: String?, _ current: String) -> CompletionRequest {
        CompletionRequest(
            command: command.name, option: option, positionals: positionals, options: options,
            current: current)
    }

    private mutating func take(_ word: String, _ command: CommandDeclaration) {
        if let option = pending {
            options[option.name] = word
            pending = nil
        } else if optionsEnded || !ArgumentParser.looksLikeOption(word) {
            positionals.append(word)
        } else if word == "--" {
            optionsEnded = true
        } else if word.hasPrefix("--") {
            let parts = word.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            take(command.option(parts[0]), value: parts.count > 1 ? String(parts[1]) : nil)
        } else {
            takeShort(word.dropFirst(), command)
        }
    }

    /// Takes flags that may be combined, of which the last one may be an option with a value.
    private mutating func takeShort(_ text: Substring, _ command: CommandDeclaration) {
        var letters = text
        while let letter = letters.popFirst() {
            let option = command.allOptions.first { $0.short == letter }
            guard option?.kind != nil, !letters.isEmpty else {
                take(option, value: nil)
                continue
            }
            return take(option, value: String(letters.first == "=" ? letters.dropFirst() : letters))
        }
    }

    private mutating func take(_ option: OptionDeclaration?, value: String?) {
        guard let option else { return }
        if option.kind != nil, value == nil { return pending = option }
        options[option.name] = value ?? ""
    }
}

extension CommandDeclaration {
    /// The declaration of an argument by its place, from 0.
    func positional(at index: Int) -> PositionalDeclaration? {
        if positionals.indices.contains(index) { return positionals[index] }
        return positionals.last.flatMap { $0.takesMany ? $0 : nil }
    }

    func option(_ name: some StringProtocol) -> OptionDeclaration? { allOptions.first { $0.name == name } }
}
