/// A reason why access notes cannot name a declaration.
enum ObjCObstacle: Sendable {
    /// The declaration is inside a function, closure or accessor.
    case local
    /// Access notes cannot spell the name or labels of the declaration or an enclosing type.
    case name
}

extension ObjCScanner {
    /// The advice for constructs that access notes cannot change.
    private static let wayOut = "put it in '#if canImport(ObjectiveC)'"

    mutating func warn(_ text: String, line: Int) {
        findings.warnings.append(ObjCWarning(line: line, text: text))
    }

    mutating func attribute(at index: Int) {
        guard let token = names.token(index + 1), token.kind == .word else { return }
        switch token.text {
        case "objc": declaration(markedAt: index)
        case "objcMembers":
            warn(
                "access notes do not take '@objcMembers' away; \(Self.wayOut), or write '@objc' on the members",
                line: token.line)
        case "IBOutlet":
            warn(
                "without Objective-C '@IBOutlet' takes no class type, and access notes do not take it away; "
                    + Self.wayOut, line: token.line)
        default: break
        }
    }

    mutating func pound(_ token: SwiftToken) {
        guard token.text == "selector" || token.text == "keyPath" else { return }
        let other = token.text == "selector" ? "a closure" : "a Swift key path"
        warn(
            "'#\(token.text)' does not exist without Objective-C; \(Self.wayOut), or use \(other)",
            line: token.line)
    }

    mutating func optionalMember(_ token: SwiftToken, at index: Int) {
        guard case .type(let type)? = scope, type.isProtocol,
            names.token(index + 1)?.kind == .word || names.isSymbol("@", at: index + 1)
        else { return }
        warn(
            "an optional member of a protocol does not exist without Objective-C; \(Self.wayOut), and give it "
                + "a default body in an extension instead", line: token.line)
    }

    // MARK: Declarations

    private mutating func declaration(markedAt index: Int) {
        guard let keyword = declarationKeyword(from: names.behindAttribute(at: index)),
            let token = names.token(keyword)
        else { return }
        let line = names.token(index)?.line ?? token.line
        switch token.text {
        case "var", "let": note(names.bindings(from: keyword).filter { $0.text != "_" }, line: line)
        case "case": note(names.cases(from: keyword), line: line)
        case "func": method(at: keyword, line: line)
        case "init": note("init", labels: keyword + 1, oneNameIsLabel: true, line: line)
        case "subscript": note("subscript", labels: keyword + 1, oneNameIsLabel: false, line: line)
        case "get": accessor(.getter, line: line)
        case "set": accessor(.setter, line: line)
        case "class", "struct", "enum", "actor", "protocol":
            note([names.token(keyword + 1)].compactMap { $0 }, line: line)
            if token.text == "protocol" { checkClassBound(at: keyword, line: line) }
        case "extension":
            warn(
                "access notes do not take '@objc' away from an extension; \(Self.wayOut), or write it on the "
                    + "members", line: line)
        case "deinit": warn("access notes cannot name a deinitializer; \(Self.wayOut)", line: line)
        default: break
        }
    }

    /// The most attributes and modifiers of one declaration.
    private static let mostAttributes = 100

    /// Returns the index of the declaration keyword after other attributes and modifiers.
    private func declarationKeyword(from index: Int) -> Int? {
        var next = index
        for _ in 0..<Self.mostAttributes {
            guard let token = names.token(next) else { return nil }
            if token.isSymbol("@") {
                next = names.behindAttribute(at: next)
            } else if token.kind == .word {
                if DeclarationNames.keywords.contains(token.text), !isModifier(at: next) { return next }
                next += 1
                if names.isSymbol("(", at: next) { next = names.behindBracket(at: next) }
            } else {
                return nil
            }
        }
        return nil
    }

    /// Returns whether `class` means `static`.
    private func isModifier(at index: Int) -> Bool {
        guard names.token(index)?.isWord("class") == true, let next = names.token(index + 1) else {
            return false
        }
        let declares = DeclarationNames.keywords.union(DeclarationNames.modifiers).contains(next.text)
        return next.kind == .word && declares && !isTypeHeader(at: index)
    }

    private mutating func method(at keyword: Int, line: Int) {
        // Access notes read these words as initializers and subscripts, even if a method has the name.
        guard let token = names.token(keyword + 1), let name = DeclarationNames.spelling(token),
            name != "init", name != "subscript"
        else { return cannotName(.name, line: line) }
        note(name, labels: keyword + 2, oneNameIsLabel: true, line: line)
    }

    /// Warns about a protocol that `@objc` alone limits to classes.
    private mutating func checkClassBound(at keyword: Int, line: Int) {
        guard names.isSymbol("{", at: names.behindGenerics(at: keyword + 2)) else { return }
        warn(
            "without '@objc' this protocol is no longer for classes only; where 'weak' needs that, write "
                + "': AnyObject'", line: line)
    }

    // MARK: Names

    private mutating func cannotName(_ obstacle: ObjCObstacle, line: Int) {
        switch obstacle {
        case .local:
            warn(
                "access notes cannot name what is declared inside a function; move the type out of it, or "
                    + "take '@objc' away", line: line)
        case .name:
            warn("access notes cannot spell this name; \(Self.wayOut)", line: line)
        }
    }

    private mutating func note(_ tokens: [SwiftToken], line: Int) {
        for token in tokens { note(DeclarationNames.spelling(token), line: line) }
    }

    private mutating func note(_ name: String, labels index: Int, oneNameIsLabel: Bool, line: Int) {
        note(names.labels(from: index, oneNameIsLabel: oneNameIsLabel).map { name + $0 }, line: line)
    }

    private mutating func note(_ member: String?, line: Int) { note(member, in: surroundings, line: line) }

    private mutating func accessor(_ accessor: ObjCName.Accessor, line: Int) {
        guard case .accessors(let member)? = scope else { return }
        note(member, in: outerSurroundings, accessor: accessor, line: line)
    }

    private mutating func note(
        _ member: String?, in type: TypeScope, accessor: ObjCName.Accessor? = nil, line: Int
    ) {
        if let obstacle = type.obstacle { return cannotName(obstacle, line: line) }
        guard let member else { return cannotName(.name, line: line) }
        findings.names.append(
            ObjCName(path: type.path, extendedCount: type.extendedCount, member: member, accessor: accessor))
    }
}
