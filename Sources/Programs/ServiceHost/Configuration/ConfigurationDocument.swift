/// The content of a configuration file before its keys are checked.
///
/// The file's language is a strict subset of TOML 1.0: comments, bare and quoted keys, `[tables]` without dots,
/// `"strings"` with escapes, `'literal strings'`, decimal integers and floats, booleans, and lists of these, which
/// may span lines. Everything else of TOML is an error that names the supported spelling.
struct ConfigurationDocument: Equatable {
    /// A place in the file; both numbers count from 1.
    struct Position: Hashable {
        var line: Int
        var column: Int

        var place: ConfigurationProblem.Place { .position(line: line, column: column) }
    }

    /// A `[table]`.
    struct Table: Equatable {
        let name: String
        let position: Position
    }

    /// A `key = value`.
    struct Entry: Equatable {
        /// The name of the table; empty above the first table.
        let table: String
        let key: String
        let value: ConfigurationValue
        /// The place of the key.
        let position: Position
        /// The place of the value.
        let valuePosition: Position
    }

    var tables: [Table] = []
    var entries: [Entry] = []
    /// The mistakes of spelling, in their order.
    var problems: [ConfigurationProblem] = []

    /// Reads a file's bytes; collects the mistakes instead of ending at the first one.
    init(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let position = Self.firstInvalidPosition(bytes)
            problems = [
                ConfigurationProblem(position.place, "the file is not UTF-8 text; save it in that encoding")
            ]
            return
        }
        var parser = ConfigurationParser(text)
        parser.parseDocument(into: &self)
    }

    private static func firstInvalidPosition(_ bytes: [UInt8]) -> Position {
        // A repaired text differs from the file at the first replacement that is not in the file itself.
        let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
        let valid = zip(bytes, repaired).prefix { $0 == $1 }.count
        let before = bytes.prefix(valid)
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
        return Position(line: before.count { $0 == 0x0A } + 1, column: column)
    }
}
