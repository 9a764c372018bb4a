/// The path of a route, with names in braces where it takes values: `/zones/{zone}/queue`.
struct RoutePattern: Sendable, Hashable {
    /// A segment of the pattern.
    enum Part: Sendable, Hashable {
        case word(String)
        case value(String)
    }

    /// The pattern as written.
    let text: String
    let parts: [Part]

    init(_ text: String) {
        self.text = text
        parts = text.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? .value(String(segment.dropFirst().dropLast())) : .word(String(segment))
        }
    }

    /// The names of its values.
    var names: [String] {
        parts.compactMap { part in
            if case .value(let name) = part { name } else { nil }
        }
    }

    /// Returns the values of a path by their names; `nil` if the path is another one.
    func match(_ path: ArraySlice<String>) -> [String: String]? {
        guard path.count == parts.count else { return nil }
        var values: [String: String] = [:]
        for (part, segment) in zip(parts, path) {
            switch part {
            case .word(let word): guard word == segment else { return nil }
            case .value(let name):
                guard !segment.isEmpty else { return nil }
                values[name] = segment
            }
        }
        return values
    }
}
