import TuttiCommandLineInterface

/// A table whose flexible columns shrink until a line fits; columns that matter less then go.
struct FittedTable: Equatable {
    /// A column.
    struct Column: Equatable {
        let header: String
        /// The width below which the column does not shrink; `nil` if it never does.
        let minimum: Int?
        /// The place in the order in which columns go if a line still does not fit; `nil` if the column stays.
        let dropOrder: Int?

        init(_ header: String, shrinksTo minimum: Int? = nil, goes dropOrder: Int? = nil) {
            (self.header, self.minimum, self.dropOrder) = (header, minimum, dropOrder)
        }
    }

    let columns: [Column]
    private var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with a cell for each column.
    mutating func append(_ cells: [String]) { rows.append(cells.map(Printable.text)) }

    /// Returns one line for the header and each row; columns without content are left out.
    ///
    /// - Parameter limit: The most columns of a line; `nil` shrinks nothing.
    func lines(limit: Int?) -> [String] {
        let all = [columns.map(\.header)] + rows
        let full = columns.indices.map { column in all.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        var shown = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } || rows.isEmpty }
        var widths = full
        if let limit {
            while !shrink(&widths, shown, limit), let place = next(toGo: shown) {
                shown.remove(at: place)
                widths = full
            }
        }
        return all.map { row in
            let cells = shown.map { column in
                DisplayWidth.pad(DisplayWidth.cut(row[column], to: widths[column]), to: widths[column])
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return limit.map { DisplayWidth.cut(line, to: $0) } ?? line
        }
    }

    /// Returns the place among the shown columns of the one that goes next; `nil` if all stay.
    private func next(toGo shown: [Int]) -> Int? {
        let droppable = shown.indices.filter { columns[shown[$0]].dropOrder != nil }
        return droppable.min { (columns[shown[$0]].dropOrder ?? 0) < (columns[shown[$1]].dropOrder ?? 0) }
    }

    /// Takes width from the widest flexible column, until all fit or none can give more.
    ///
    /// - Returns: Whether all fit.
    private func shrink(_ widths: inout [Int], _ shown: [Int], _ limit: Int) -> Bool {
        var excess = shown.reduce(2 * (shown.count - 1)) { $0 + widths[$1] } - limit
        while excess > 0 {
            let flexible = shown.filter { widths[$0] > columns[$0].minimum ?? .max }
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { return false }
            widths[widest] -= 1
            excess -= 1
        }
        return true
    }
}
