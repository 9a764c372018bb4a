/// The value of an `#if` condition, as far as it is known independently of the build settings.
enum Certainty: Equatable, Sendable {
    case no, maybe, yes

    static prefix func ! (value: Certainty) -> Certainty {
        switch value {
        case .no: .yes
        case .maybe: .maybe
        case .yes: .no
        }
    }

    func and(_ other: Certainty) -> Certainty {
        if self == .no || other == .no { return .no }
        return self == .yes && other == .yes ? .yes : .maybe
    }

    func or(_ other: Certainty) -> Certainty { !(!self).and(!other) }
}

/// A filter that drops branches which no Linux build compiles: `#if os(macOS)`, `#if canImport(UIKit)`.
///
/// Keeps all other branches in sequence, because a build may use any of them: names that one build lacks do
/// no harm in the notes.
struct ConditionalBlocks {
    private struct Block {
        /// Whether an earlier branch is certainly taken, which excludes all later branches.
        var isTaken: Bool
        var isLeftOut: Bool
    }

    private let tokens: [SwiftToken]
    private var position = 0
    private var blocks: [Block] = []
    private var kept: [SwiftToken] = []

    static func compiled(of tokens: [SwiftToken]) -> [SwiftToken] {
        var filter = ConditionalBlocks(tokens: tokens)
        filter.run()
        return filter.kept
    }

    private init(tokens: [SwiftToken]) { self.tokens = tokens }

    private mutating func run() {
        while position < tokens.count {
            let token = tokens[position]
            position += 1
            switch (token.kind, token.text) {
            case (.pound, "if"):
                blocks.append(Block(isTaken: false, isLeftOut: false))
                branch(condition())
            case (.pound, "elseif"): branch(condition())
            case (.pound, "else"): branch(.yes)
            case (.pound, "endif"): _ = blocks.popLast()
            default: if !blocks.contains(where: \.isLeftOut) { kept.append(token) }
            }
        }
    }

    private mutating func branch(_ condition: Certainty) {
        guard var block = blocks.popLast() else { return }
        block.isLeftOut = block.isTaken || condition == .no
        block.isTaken = block.isTaken || condition == .yes
        blocks.append(block)
    }

    // MARK: Conditions

    private func isNext(_ symbol: String) -> Bool {
        position < tokens.count && tokens[position].isSymbol(symbol)
    }

    private mutating func condition(depth: Int = 0) -> Certainty {
        var result = conjunction(depth: depth)
        while isNext("||") {
            position += 1
            result = result.or(conjunction(depth: depth))
        }
        return result
    }

    private mutating func conjunction(depth: Int) -> Certainty {
        var result = term(depth: depth)
        while isNext("&&") {
            position += 1
            result = result.and(term(depth: depth))
        }
        return result
    }

    /// The deepest nesting that is evaluated; nobody nests conditions this deep.
    private static let deepest = 64

    private mutating func term(depth: Int) -> Certainty {
        guard position < tokens.count, depth < Self.deepest else { return .maybe }
        let token = tokens[position]
        position += 1
        if token.isSymbol("!") { return !term(depth: depth + 1) }
        if token.isSymbol("(") {
            let inner = condition(depth: depth + 1)
            skipArguments(open: 1)
            return inner
        }
        guard token.kind == .word else { return .maybe }
        // A bracket on the next line belongs to the block.
        guard isNext("("), !tokens[position].startsLine else {
            return Self.certainty(of: token.text, argument: nil)
        }
        let argument = position + 1 < tokens.count ? tokens[position + 1].text : nil
        position += 1
        skipArguments(open: 1)
        return Self.certainty(of: token.text, argument: argument)
    }

    private mutating func skipArguments(open: Int) {
        var depth = open
        while depth > 0, position < tokens.count {
            if isNext("(") { depth += 1 }
            if isNext(")") { depth -= 1 }
            position += 1
        }
    }

    /// Modules that do not exist without an Objective-C runtime.
    private static let absentModules: Set<String> = [
        "ObjectiveC", "Darwin", "UIKit", "AppKit", "Cocoa", "WatchKit",
    ]

    private static func certainty(of word: String, argument: String?) -> Certainty {
        switch (word, argument) {
        case ("true", nil): .yes
        case ("false", nil): .no
        case ("os", "Linux"?): .yes
        case ("os", _?), ("targetEnvironment", "simulator"?), ("targetEnvironment", "macCatalyst"?): .no
        case ("_runtime", "_ObjC"?): .no
        case ("canImport", let module?): absentModules.contains(module) ? .no : .maybe
        default: .maybe
        }
    }
}
