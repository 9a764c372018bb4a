/// A declaration with `@objc`, as the source names it.
struct ObjCName: Equatable, Sendable {
    enum Accessor: String, Sendable { case getter, setter }

    /// The types around it, the outermost first.
    var path: [String]
    /// How many of ``path`` stand in the header of an extension: these may begin with the name of a module
    /// or be a type alias, and access notes know neither.
    var extendedCount = 0
    /// With labels where it has any: `play(_:at:)`.
    let member: String
    var accessor: Accessor?

    /// As access notes want it: `getter:Outer.Inner.title()`.
    func text(path: [String]) -> String {
        let dotted = (path + [member]).joined(separator: ".")
        guard let accessor else { return dotted }
        let labels = member.hasSuffix(")") ? "" : accessor == .getter ? "()" : "(_:)"
        return "\(accessor.rawValue):\(dotted)\(labels)"
    }
}

/// A place in a source where access notes do not help, or not enough.
struct ObjCWarning: Equatable, Sendable {
    let line: Int
    let text: String
}

/// What one file says that access notes are concerned with.
struct ObjCFindings: Equatable, Sendable {
    var names: [ObjCName] = []
    var warnings: [ObjCWarning] = []
    /// All types, dotted.
    var types: Set<String> = []
    /// Type aliases, dotted, and what they stand for, as it is written: more than one type where branches of
    /// `#if` differ.
    var aliases: [String: [[String]]] = [:]
}
