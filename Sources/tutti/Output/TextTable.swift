/// Rows of text in columns as wide as they must be.
struct TextTable: Equatable, Sendable {
    let header: [String]
    private(set) var rows: [[String]] = []

    init(header: [String]) { self.header = header }

    /// Adds a row; cells that are missing stay empty, cells too many are left out.
    mutating func append(_ cells: [String]) {
        let padded = cells.map(Printable.text) + repeatElement("", count: max(0, header.count - cells.count))
        rows.append(Array(padded.prefix(header.count)))
    }

    /// One line for the header and each row, without spaces at their ends.
    ///
    /// - Parameter limit: the most columns a line may fill; longer ones are cut.
    func lines(limit: Int? = nil) -> [String] {
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
