/// A reader for names and labels in tokens, by index.
struct DeclarationNames {
    let tokens: [SwiftToken]
    /// The index of the closing bracket for each opening bracket; an unclosed bracket has no entry.
    private let closings: [Int: Int]

    init(tokens: [SwiftToken]) {
        self.tokens = tokens
        var closings: [Int: Int] = [:]
        var open: [Int] = []
        for (index, token) in tokens.enumerated() where token.kind == .symbol {
            switch token.text {
            case "(", "[", "{": open.append(index)
            case ")", "]", "}": if let start = open.popLast() { closings[start] = index }
            default: break
            }
        }
        self.closings = closings
    }

    func token(_ index: Int) -> SwiftToken? { tokens.indices.contains(index) ? tokens[index] : nil }

    func isSymbol(_ symbol: String, at index: Int) -> Bool { token(index)?.isSymbol(symbol) == true }

    /// Returns the index after a bracket and its contents.
    func behindBracket(at index: Int) -> Int { closings[index].map { $0 + 1 } ?? tokens.count }

    /// Returns the index after an attribute, including its arguments, whose `@` is at `index`.
    func behindAttribute(at index: Int) -> Int {
        var next = index + 2
        while isSymbol(".", at: next), token(next + 1)?.isName == true { next += 2 }
        next = behindGenerics(at: next)
        if isSymbol("(", at: next), token(next)?.startsLine == false { next = behindBracket(at: next) }
        return next
    }

    /// Returns the index after `<…>`, if it begins at `index`.
    func behindGenerics(at index: Int) -> Int {
        guard let first = token(index), first.kind == .symbol, first.text.hasPrefix("<") else { return index }
        var depth = 0
        var next = index
        while let token = token(next) {
            if token.kind == .symbol, token.text != "->" {
                if token.text == "(" || token.text == "[" {
                    next = behindBracket(at: next)
                    continue
                }
                if ["{", "}", ";"].contains(token.text) { return next }
                depth += token.text.count { $0 == "<" } - token.text.count { $0 == ">" }
            }
            next += 1
            if depth <= 0 { break }
        }
        return next
    }

    // MARK: Labels

    /// Returns the labels of the parameter list after `index`, as in `(_:at:)`; `nil` if there is none, or if
    /// access notes cannot spell a label.
    ///
    /// - Parameter oneNameIsLabel: Whether `(x: Int)` has the label `x`, as in functions, or none, as in
    ///   subscripts.
    func labels(from index: Int, oneNameIsLabel: Bool) -> String? {
        var start = index
        while let token = token(start), token.isSymbol("?") || token.isSymbol("!") { start += 1 }
        start = behindGenerics(at: start)
        guard isSymbol("(", at: start) else { return nil }
        let end = closings[start] ?? tokens.count
        var text = "("
        var next = start + 1
        while next < end {
            if let label = label(at: next, oneNameIsLabel: oneNameIsLabel) {
                guard let label = Self.spelling(label) else { return nil }
                text += label + ":"
            }
            next = behindComma(from: next, end: end)
        }
        return text + ")"
    }

    /// Returns the label of the parameter at `index`; `nil` if no parameter begins there.
    private func label(at index: Int, oneNameIsLabel: Bool) -> SwiftToken? {
        var next = index
        while isSymbol("@", at: next) { next = behindAttribute(at: next) }
        guard let first = token(next), first.isName else { return nil }
        if isSymbol(":", at: next + 1) {
            return oneNameIsLabel
                ? first : SwiftToken(kind: .word, text: "_", line: first.line, startsLine: false)
        }
        guard token(next + 1)?.isName == true, isSymbol(":", at: next + 2) else { return nil }
        return first
    }

    /// Returns the index after the next comma outside brackets.
    private func behindComma(from index: Int, end: Int) -> Int {
        var next = index
        while next < end {
            switch tokens[next].kind == .symbol ? tokens[next].text : "" {
            case "(", "[", "{": next = behindBracket(at: next)
            case ",": return next + 1
            default: next += 1
            }
        }
        return end
    }

    /// Returns a name as spelled in access notes, without backticks; `nil` if it is not an identifier.
    static func spelling(_ token: SwiftToken) -> String? {
        guard token.isName, let head = token.text.unicodeScalars.first, head.isIdentifierHead,
            token.text.unicodeScalars.allSatisfy(\.isIdentifierPart)
        else { return nil }
        return token.text
    }

    // MARK: Lists

    /// Returns the names that `var` or `let` at `index` binds: `var a = 1, b = 2`, `var (c, d) = pair`.
    func bindings(from index: Int) -> [SwiftToken] {
        var names: [SwiftToken] = []
        var next = index + 1
        while let token = token(next) {
            if token.isSymbol("(") {
                names += tokens[next..<behindBracket(at: next)].filter { $0.isName && $0.text != "_" }
                next = behindBracket(at: next)
            } else if token.isName, names.isEmpty || endsBindingName(at: next + 1) {
                names.append(token)
                next += 1
            }
            guard let following = behindComma(inListFrom: next) else { break }
            next = following
        }
        return names
    }

    /// Returns whether the name before `index` can be a bound name: not so in `Dictionary<String, Int>()`.
    private func endsBindingName(at index: Int) -> Bool {
        guard let token = token(index), !token.startsLine else { return true }
        return token.kind == .symbol && [":", "=", ",", ";", "}", "{"].contains(token.text)
    }

    /// Returns the names of the cases that `case` at `index` declares.
    func cases(from index: Int) -> [SwiftToken] {
        var names: [SwiftToken] = []
        var next = index + 1
        while let token = token(next), token.isName {
            names.append(token)
            guard let following = behindComma(inListFrom: next + 1) else { break }
            next = following
        }
        return names
    }

    /// Returns the index after the next comma in a list of declared names; `nil` at the end of the list.
    ///
    /// Commas inside `<…>` count too: a superfluous name in the notes does no harm.
    private func behindComma(inListFrom index: Int) -> Int? {
        var next = index
        while let token = token(next) {
            if token.startsLine, token.isSymbol("@") || Self.beginsDeclaration(token) { return nil }
            switch token.kind == .symbol ? token.text : "" {
            case "(", "[", "{": next = behindBracket(at: next)
            case ")", "]", "}", ";": return nil
            case ",": return next + 1
            default: next += 1
            }
        }
        return nil
    }

    private static func beginsDeclaration(_ token: SwiftToken) -> Bool {
        token.kind == .word && (keywords.contains(token.text) || modifiers.contains(token.text))
    }

    /// Keywords that follow a declaration's attributes and modifiers.
    static let keywords: Set<String> = [
        "var", "let", "func", "init", "subscript", "deinit", "case", "class", "struct", "enum", "actor",
        "protocol", "extension", "typealias", "associatedtype", "import", "macro", "operator",
        "precedencegroup", "get", "set",
    ]

    static let modifiers: Set<String> = [
        "public", "private", "internal", "fileprivate", "open", "package", "static", "final", "lazy", "weak",
        "unowned", "dynamic", "override", "required", "convenience", "optional", "indirect", "mutating",
        "nonmutating", "nonisolated", "isolated", "distributed", "prefix", "postfix", "infix", "consuming",
        "borrowing", "async", "sending",
    ]
}
