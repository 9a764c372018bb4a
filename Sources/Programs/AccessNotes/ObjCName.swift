/// A declaration marked `@objc`, as named in the source.
struct ObjCName: Equatable, Sendable {
    enum Accessor: String, Sendable { case getter, setter }

    /// The enclosing types, outermost first.
    var path: [String]
    /// The number of ``path`` components from an extension header. They may begin with a module name or a
    /// type alias, which access notes do not resolve.
    var extendedCount = 0
    /// The member's name, with labels if it has any: `play(_:at:)`.
    let member: String
    var accessor: Accessor?

    /// Returns the name in access-note syntax: `getter:Outer.Inner.title()`.
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

/// The parts of one file that concern access notes.
struct ObjCFindings: Equatable, Sendable {
    var names: [ObjCName] = []
    var warnings: [ObjCWarning] = []
    /// All declared types, as dotted paths.
    var types: Set<String> = []
    /// Type aliases, as dotted paths, with their targets as written: several targets if branches of `#if`
    /// differ.
    var aliases: [String: [[String]]] = [:]
}
