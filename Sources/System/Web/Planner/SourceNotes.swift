/// The warnings and titles of a source that its owner has not taken yet.
struct SourceNotes {
    private var warnings: [WebWarning] = []
    private var titles: [StreamTitle] = []

    /// The most titles, and warnings, kept.
    private static let limit = 64

    /// Adds a warning; later warnings are dropped at the limit.
    mutating func add(_ warning: WebWarning) {
        if warnings.count < Self.limit { warnings.append(warning) }
    }

    /// Adds a title; the oldest title is dropped at the limit.
    mutating func add(_ title: StreamTitle) {
        if titles.count == Self.limit { titles.removeFirst() }
        titles.append(title)
    }

    mutating func takeWarnings() -> [WebWarning] {
        defer { warnings = [] }
        return warnings
    }

    mutating func takeTitles() -> [StreamTitle] {
        defer { titles = [] }
        return titles
    }
}

/// A title that a radio station announces at a position.
package struct StreamTitle: Hashable, Sendable {
    /// The position in bytes delivered to the reader.
    package var offset: Int64
    /// The title as announced, decoded.
    package var text: String
}
