/// A scanner for `@objc` declarations in one Swift source, and for constructs without a remedy on Linux.
///
/// The compiler's parse tree would name declarations as reliably. But its dump is a debugging aid whose
/// format changes with each version, and it contains the `#if` branches of one build only; notes must fit all
/// builds.
struct ObjCScanner {
    /// The content of a pair of brackets.
    enum Scope {
        /// A type or an extension of one.
        case type(TypeScope)
        /// The accessors of a property or subscript, with the member's name and labels.
        case accessors(String?)
        /// Statements and other content without nameable declarations.
        case code
        /// Round or square brackets, in which no declaration begins.
        case group
    }

    struct TypeScope {
        var path: [String]
        var extendedCount = 0
        /// The reason why access notes cannot name anything inside; `nil` if they can.
        var obstacle: ObjCObstacle?
        var isProtocol = false
    }

    /// An open bracket with the innermost enclosing type.
    private struct Frame {
        let scope: Scope
        let surroundings: TypeScope
    }

    let names: DeclarationNames
    private var position = 0
    private var frames: [Frame] = []
    /// The scope of the next brace, if no other bracket comes first.
    private var pending: (scope: Scope, depth: Int)?
    var findings = ObjCFindings()

    static func findings(in source: String) -> ObjCFindings {
        var scanner = ObjCScanner(ConditionalBlocks.compiled(of: SwiftLexer.tokens(of: source)))
        scanner.run()
        return scanner.findings
    }

    private init(_ tokens: [SwiftToken]) { names = DeclarationNames(tokens: tokens) }

    private mutating func run() {
        while let token = names.token(position) {
            let here = position
            position += 1
            switch token.kind {
            case .symbol: symbol(token, at: here)
            case .word: word(token, at: here)
            case .pound: pound(token)
            case .escaped, .literal: break
            }
        }
    }

    // MARK: Brackets

    private mutating func symbol(_ token: SwiftToken, at index: Int) {
        switch token.text {
        case "(", "[": open(.group)
        case ")", "]": if isInGroup { frames.removeLast() }
        case "{": open(expectedScope())
        case "}": closeBrace()
        case ";", "=": if pending?.depth == frames.count { pending = nil }
        case "@": attribute(at: index)
        default: break
        }
    }

    private mutating func open(_ scope: Scope) {
        var inner = surroundings
        switch scope {
        case .type(let type): inner = type
        case .code, .accessors: inner.obstacle = inner.obstacle ?? .local
        case .group: break
        }
        frames.append(Frame(scope: scope, surroundings: inner))
    }

    private mutating func expectedScope() -> Scope {
        guard let expected = pending, expected.depth == frames.count else { return .code }
        pending = nil
        return expected.scope
    }

    private mutating func closeBrace() {
        // A closing brace also ends unclosed brackets inside it.
        while isInGroup { frames.removeLast() }
        _ = frames.popLast()
        if let depth = pending?.depth, depth > frames.count { pending = nil }
    }

    // MARK: Current scope

    /// The content of the innermost bracket; `nil` outside all brackets.
    var scope: Scope? { frames.last?.scope }

    /// The innermost enclosing type.
    var surroundings: TypeScope { frames.last?.surroundings ?? TypeScope(path: []) }

    /// The innermost type around the innermost bracket.
    var outerSurroundings: TypeScope { frames.dropLast().last?.surroundings ?? TypeScope(path: []) }

    private var isInGroup: Bool { if case .group? = scope { true } else { false } }

    // MARK: Words

    private mutating func word(_ token: SwiftToken, at index: Int) {
        guard !isInGroup, !names.isSymbol(".", at: index - 1) else { return }
        switch token.text {
        case "class", "struct", "enum", "actor", "protocol": typeHeader(token.text, at: index)
        case "extension": extensionHeader(at: index)
        case "var": memberHeader(names.token(index + 1).flatMap(DeclarationNames.spelling))
        case "subscript":
            memberHeader(names.labels(from: index + 1, oneNameIsLabel: false).map { "subscript" + $0 })
        case "func", "init", "deinit", "let", "case", "import", "associatedtype": pending = nil
        case "typealias": alias(at: index)
        case "optional": optionalMember(token, at: index)
        default: break
        }
    }

    /// The deepest nesting of types with names; paths of deeper types would exhaust the memory.
    private static let deepestType = 128

    private mutating func typeHeader(_ keyword: String, at index: Int) {
        guard let name = names.token(index + 1), isTypeHeader(at: index) else { return }
        var type = surroundings
        type.isProtocol = keyword == "protocol"
        if let name = DeclarationNames.spelling(name), type.path.count < Self.deepestType {
            type.path.append(name)
            if type.obstacle == nil { findings.types.insert(type.path.joined(separator: ".")) }
        } else {
            type.obstacle = type.obstacle ?? .name
        }
        pending = (.type(type), frames.count)
    }

    /// Returns whether a type is declared at `index`: `class` may be a modifier or a requirement, `actor` any
    /// name.
    func isTypeHeader(at index: Int) -> Bool {
        guard names.token(index + 1)?.isName == true, let next = names.token(index + 2) else { return false }
        return next.isWord("where")
            || next.kind == .symbol && (next.text == "{" || next.text == ":" || next.text.hasPrefix("<"))
    }

    private mutating func extensionHeader(at index: Int) {
        var type = TypeScope(path: [])
        var next = index + 1
        while let token = names.token(next), token.isName {
            type.path += DeclarationNames.spelling(token).map { [$0] } ?? []
            next = names.behindGenerics(at: next + 1)
            guard names.isSymbol(".", at: next) else { break }
            next += 1
        }
        type.extendedCount = type.path.count
        if type.path.isEmpty { type.obstacle = .name }
        pending = (.type(type), frames.count)
    }

    private mutating func memberHeader(_ name: String?) {
        pending = nil
        if case .type? = scope { pending = (.accessors(name), frames.count) }
    }

    private mutating func alias(at index: Int) {
        pending = nil
        let type = surroundings
        guard type.obstacle == nil, let name = names.token(index + 1).flatMap(DeclarationNames.spelling)
        else { return }
        var next = names.behindGenerics(at: index + 2)
        guard names.isSymbol("=", at: next) else { return }
        var target: [String] = []
        repeat {
            next += 1
            guard let part = names.token(next).flatMap(DeclarationNames.spelling) else { return }
            target.append(part)
            next = names.behindGenerics(at: next + 1)
        } while names.isSymbol(".", at: next)
        findings.aliases[(type.path + [name]).joined(separator: "."), default: []].append(target)
    }
}
