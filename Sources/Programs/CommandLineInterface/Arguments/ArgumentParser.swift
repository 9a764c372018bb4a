/// A parser for the arguments of one subcommand, driven by its declaration.
///
/// Accepts `--name value`, `--name=value`, `-n value`, `-nvalue` and combined flags as in `-ab`. `--` ends
/// the options. Options and positionals may be mixed. A lone `-` and negative numbers are not options.
struct ArgumentParser {
    private let declaration: CommandDeclaration
    private var arguments: ArraySlice<String>
    private var parsed = ParsedArguments()

    static func parse(
        _ arguments: [String], as declaration: CommandDeclaration
    ) throws(UsageError) -> ParsedArguments {
        var parser = ArgumentParser(declaration: declaration, arguments: arguments[...])
        try parser.run()
        return parser.parsed
    }

    private init(declaration: CommandDeclaration, arguments: ArraySlice<String>) {
        self.declaration = declaration
        self.arguments = arguments
    }

    private mutating func run() throws(UsageError) {
        var optionsEnded = false
        while let argument = arguments.popFirst() {
            if optionsEnded || !Self.looksLikeOption(argument) {
                try positional(argument)
            } else if argument == "--" {
                optionsEnded = true
            } else if argument.hasPrefix("--") {
                try longOption(argument.dropFirst(2))
            } else {
                try shortOptions(argument.dropFirst())
            }
        }
        // `--help` works without the required arguments.
        if !parsed.flag("help") { try checkPositionalCount() }
    }

    /// Returns whether an argument is an option: no option's name begins with a digit, but `-10` and `-1:30`
    /// do.
    static func looksLikeOption(_ argument: String) -> Bool {
        argument.hasPrefix("-") && argument != "-" && Double(argument) == nil
            && argument.dropFirst().first.map { $0.isASCII && $0.isNumber } != true
    }

    private mutating func longOption(_ text: Substring) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard let option = declaration.allOptions.first(where: { $0.name == name }) else {
            throw unknown("--\(name)")
        }
        let attached = parts.count > 1 ? String(parts[1]) : nil
        if option.form == .flag, attached != nil { throw UsageError("--\(name) takes no value") }
        try take(option, spelled: "--\(name)", attached: attached)
    }

    private mutating func shortOptions(_ text: Substring) throws(UsageError) {
        var letters = text
        while let letter = letters.popFirst() {
            guard let option = declaration.allOptions.first(where: { $0.short == letter }) else {
                throw unknown("-\(letter)")
            }
            guard option.form != .flag else {
                if letters.first == "=" { throw UsageError("-\(letter) takes no value") }
                try take(option, spelled: "-\(letter)", attached: nil)
                continue
            }
            let attached =
                letters.isEmpty ? nil : String(letters.first == "=" ? letters.dropFirst() : letters)
            return try take(option, spelled: "-\(letter)", attached: attached)
        }
    }

    private mutating func take(
        _ option: OptionDeclaration, spelled: String, attached: String?
    ) throws(UsageError) {
        guard let kind = option.kind, let valueName = option.valueName else {
            return parsed.set(flag: option.name)
        }
        if case .value = option.form, parsed.value(option.name) != nil {
            throw UsageError("\(spelled) was given twice")
        }
        guard let value = attached ?? arguments.popFirst() else {
            throw UsageError("\(spelled) needs a value: \(spelled) \(valueName)")
        }
        if attached == nil, value.hasPrefix("--") {
            throw UsageError("\(spelled) needs a value: \(spelled) \(valueName)")
        }
        if let objection = kind.objection(to: value) {
            throw UsageError("\(spelled) \(objection), not '\(Printable.text(value))'")
        }
        parsed.append(value, toOption: option.name)
    }

    private mutating func positional(_ value: String) throws(UsageError) {
        guard let declared = declaration.positional(at: parsed.positionals.count) else {
            throw UsageError("unexpected argument '\(Printable.text(value))'")
        }
        if let objection = declared.kind.objection(to: value) {
            throw UsageError("\(declared.name) \(objection), not '\(Printable.text(value))'")
        }
        parsed.append(positional: value)
    }

    private func checkPositionalCount() throws(UsageError) {
        let missing = declaration.positionals.dropFirst(parsed.positionals.count).first { $0.isRequired }
        if let missing { throw UsageError("missing \(missing.name)") }
    }

    private func unknown(_ spelled: String) -> UsageError {
        let names = declaration.allOptions.flatMap { option in
            ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
        }
        return UsageError(
            "unknown option \(Printable.text(spelled))" + Suggestion.text(for: spelled, among: names))
    }
}
