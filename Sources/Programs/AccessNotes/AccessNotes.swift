/// The access notes for a set of sources: the declarations whose `@objc` the compiler must ignore.
struct AccessNotes: Equatable, Sendable {
    /// The names in source order, without duplicates.
    let names: [String]

    init(_ files: [ObjCFindings]) {
        let types = files.reduce(into: Set<String>()) { $0.formUnion($1.types) }
        let aliases = files.reduce(into: [String: [[String]]]()) { $0.merge($1.aliases, uniquingKeysWith: +) }
        let resolver = ExtendedTypes(types: types, aliases: aliases)
        var seen: Set<String> = []
        names = files.flatMap(\.names)
            .flatMap { name in resolver.paths(of: name).map { name.text(path: $0) } }
            .filter { seen.insert($0).inserted }
    }

    /// The contents of the file for `-access-notes-path`.
    var yaml: String {
        let head = """
            # Written by 'access-notes'. For: swiftc -access-notes-path FILE
            Reason: \(Self.quoted("there is no Objective-C runtime on this platform"))
            Notes:
            """
        if names.isEmpty { return head + " []\n" }
        return head + "\n" + names.map { "- Name: \(Self.quoted($0))\n  ObjC: false\n" }.joined()
    }

    /// Returns a quoted YAML scalar: single quotes, inside which only the single quote is special, or double
    /// quotes if the text has unprintable characters.
    static func quoted(_ text: String) -> String {
        let needsEscapes = text.unicodeScalars.contains {
            $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
        }
        guard needsEscapes else {
            // Works on scalars: a quote that a mark combines with is still a quote to a reader of YAML.
            let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
            return "'" + parts.map { String($0) }.joined(separator: "''") + "'"
        }
        return "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": return "\\" + String(scalar)
        case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
            let digits = String(scalar.value, radix: 16)
            return "\\x" + (digits.count < 2 ? "0" : "") + digits
        default: return String(scalar)
        }
    }
}
