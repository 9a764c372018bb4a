import TuttiHTTPService

/// A parameter of a route's query: what it may be, and its value in a request.
struct QueryParameter: Sendable {
    /// The values that a parameter may have.
    enum Kind: Sendable {
        case number(ClosedRange<Int>, standard: Int)
        case optionalNumber(ClosedRange<Int>)
        case choice([String], standard: String)
        case text(limit: Int)
        /// A text that the query may repeat.
        case texts(limit: Int)
    }

    let name: String
    let kind: Kind
    let summary: String

    init(_ name: String, _ kind: Kind, _ summary: String) {
        (self.name, self.kind, self.summary) = (name, kind, summary)
    }

    /// Refuses a value outside of what the parameter may be.
    func check(_ target: RequestTarget) throws(Problem) {
        guard let text = target.value(name) else { return }
        switch kind {
        case .texts(let limit):
            guard target.query.allSatisfy({ $0.name != name || $0.value.utf8.count <= limit }) else {
                throw .invalid("“\(name)” must have at most \(limit) bytes.")
            }
        case .number(let range, _), .optionalNumber(let range):
            guard let number = Int(text), range.contains(number) else {
                throw .invalid(
                    "“\(name)” must be a whole number from \(range.lowerBound) to \(range.upperBound).")
            }
        case .choice(let words, _):
            guard words.contains(text) else {
                throw .invalid("“\(name)” must be one of \(words.joined(separator: ", ")).")
            }
        case .text(let limit):
            guard text.utf8.count <= limit else {
                throw .invalid("“\(name)” must have at most \(limit) bytes.")
            }
        }
    }

    /// The parameter in OpenAPI's words.
    var json: JSONValue {
        var schema: [(String, JSONValue)]
        switch kind {
        case .number(let range, let standard):
            schema = Self.integer(range) + [("default", .integer(standard))]
        case .optionalNumber(let range): schema = Self.integer(range)
        case .choice(let words, let standard):
            schema = [
                ("type", .string("string")), ("enum", .array(words.map(JSONValue.string))),
                ("default", .string(standard)),
            ]
        case .text(let limit): schema = Self.string(limit)
        case .texts(let limit):
            schema = [("type", .string("array")), ("items", .object(Self.string(limit)))]
        }
        return .object([
            ("name", .string(name)), ("in", .string("query")), ("description", .string(summary)),
            ("schema", .object(schema)),
        ])
    }

    private static func string(_ limit: Int) -> [(String, JSONValue)] {
        [("type", .string("string")), ("maxLength", .integer(limit))]
    }

    private static func integer(_ range: ClosedRange<Int>) -> [(String, JSONValue)] {
        [
            ("type", .string("integer")), ("minimum", .integer(range.lowerBound)),
            ("maximum", .integer(range.upperBound)),
        ]
    }
}

extension QueryParameter {
    /// The longest list: a queue of this length encodes in some 20 ms.
    static let countLimit = 1_000
    /// The place in a list: beyond every list there is.
    static let places = 0...Int(Int32.max)

    static let start = QueryParameter(
        "start", .number(places, standard: 0), "The place of the first item, from 0.")
    static let count = QueryParameter(
        "count", .number(0...countLimit, standard: 200), "The most items to return.")
    static let limit = QueryParameter("limit", .number(1...200, standard: 20), "The most items of each kind.")
    static let words = QueryParameter("q", .text(limit: 256), "The words to look for.")
    static let artist = QueryParameter(
        "artist", .optionalNumber(1...Int.max), "Only albums of this artist.")
    static let path = QueryParameter(
        "path", .text(limit: 4_096), "The path of a folder; without it, the library's own folders.")
    static let albumSort = QueryParameter(
        "sort", .choice(["title", "artist", "year", "added"], standard: "title"), "The order.")
    static let trackSort = QueryParameter(
        "sort", .choice(["title", "artist", "album", "added"], standard: "title"), "The order.")
    static let after = QueryParameter(
        "after", .text(limit: 64), "The id of the last event received, as `Last-Event-ID`.")
}
