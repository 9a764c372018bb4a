/// The search of a name that a person typed among those of the house.
enum NameMatch {
    /// Returns the one that is meant: with the same name, the same but for capitals, or the only one that
    /// begins so.
    ///
    /// - Parameters:
    ///   - kind: The noun for messages, such as `zone`.
    ///   - hint: The advice if there is none at all.
    ///   - id: Returns what may be typed instead of the name, for things of the same name; `nil` for nothing.
    /// - Throws: ``RemoteFailure`` with the names to choose from.
    static func find<Item>(
        _ text: String, kind: String, among items: [Item], hint: String = "",
        id: (Item) -> String? = { _ in nil },
        name: (Item) -> String
    ) throws(RemoteFailure) -> Item {
        for step in typed(text) {
            let found = items.filter { step.isMeant(name($0), id($0)) }
            if found.count == 1 { return found[0] }
            guard found.isEmpty else { throw ambiguous(text, kind, found.map { (name($0), id($0)) }) }
        }
        guard !items.isEmpty else {
            let advice = hint.isEmpty ? "" : " \(hint)"
            throw RemoteFailure(
                .notFound, "There is no \(kind) \(quoted(text)), nor any other \(kind).\(advice)")
        }
        let noun = items.count == 1 ? "The only \(kind) is" : "There are"
        let names = list(items.map(name), "and")
        throw RemoteFailure(.notFound, "There is no \(kind) \(quoted(text)). \(noun) \(names).")
    }

    /// The ways in which a typed text can mean a name or an id, the closest first.
    private enum Step: CaseIterable {
        case same, sameLetters, id, beginning
    }

    private struct TypedStep {
        let step: Step
        let text: String

        func isMeant(_ name: String, _ id: String?) -> Bool {
            switch step {
            case .same: name == text
            case .sameLetters: name.lowercased() == text.lowercased()
            case .id: id == text
            case .beginning: name.lowercased().hasPrefix(text.lowercased())
            }
        }
    }

    private static func typed(_ text: String) -> [TypedStep] {
        text.isEmpty ? [] : Step.allCases.map { TypedStep(step: $0, text: text) }
    }

    private static func ambiguous(
        _ text: String, _ kind: String, _ found: [(name: String, id: String?)]
    ) -> RemoteFailure {
        let names = found.map(\.name)
        let ids = found.compactMap(\.id)
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        guard counts.count < names.count, ids.count == names.count else {
            let choices = list(names, "or")
            return RemoteFailure(
                .usage, "\(quoted(text)) could be \(choices). Type more of the \(kind)'s name.")
        }
        guard counts.count > 1 else {
            return RemoteFailure(
                .usage,
                "\(found.count) have the name \(quoted(names[0])). Type \(list(ids, "or")) instead of the name."
            )
        }
        let words = zip(names, ids).prefix(listLimit).map { name, id in
            counts[name] == 1 ? quoted(name) : "\(quoted(id)) (\(quoted(name)))"
        }
        return RemoteFailure(
            .usage, "\(quoted(text)) could be \(list(words, of: names.count, "or")). Type one of these.")
    }

    /// Returns `A, B and C`, of at most ``listLimit`` names.
    static func list(_ names: [String], _ word: String) -> String {
        list(names.prefix(listLimit).map(quoted), of: names.count, word)
    }

    /// Returns `A, B and C` of words that are quoted, and the number of the others.
    private static func list(_ shown: [String], of count: Int, _ word: String) -> String {
        if count > shown.count {
            return shown.joined(separator: ", ") + " \(word) \(count - shown.count) more"
        }
        guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
        return shown.dropLast().joined(separator: ", ") + " \(word) \(last)"
    }

    private static let listLimit = 12

    static func quoted(_ text: String) -> String { "“\(SafeText.line(text))”" }
}
