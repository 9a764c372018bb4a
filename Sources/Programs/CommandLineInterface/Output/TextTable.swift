/// A table of text whose columns fit their widest cell.
public struct TextTable: Equatable, Sendable {
    let header: [String]
    private(set) var rows: [[String]] = []

    /// Creates a table without rows.
    public init(header: [String]) { self.header = header }

    /// Adds a row; missing cells stay empty, surplus cells are dropped.
    public mutating func append(_ cells: [String]) {
        let padded = cells.map(Printable.text) + repeatElement("", count: max(0, header.count - cells.count))
        rows.append(Array(padded.prefix(header.count)))
    }

    /// Returns one line for the header and each row, without trailing spaces.
    ///
    /// - Parameter limit: The most columns of a line; longer lines are cut.
    public func lines(limit: Int? = nil) -> [String] {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { DisplayWidth.pad($0, to: $1) }
            let line = Self.withoutTrailingSpaces(cells.joined(separator: "  "))
            return limit.map { DisplayWidth.cut(line, to: $0) } ?? line
        }
    }

    private static func withoutTrailingSpaces(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}
