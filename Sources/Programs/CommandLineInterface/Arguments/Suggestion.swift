/// A suggestion for a mistyped word.
package enum Suggestion {
    /// Returns `"; did you mean --timeout?"`, or an empty text.
    static func text(for typed: String, among words: [String]) -> String {
        nearest(to: typed, among: words).map { "; did you mean \($0)?" } ?? ""
    }

    /// Returns the nearest word within a third of its length; the first declared wins a tie.
    package static func nearest(to typed: String, among words: [String]) -> String? {
        guard typed.count <= lengthLimit else { return nil }
        let ranked = words.map { (word: $0, distance: distance(typed, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        if best.distance <= max(1, best.word.count / 3), best.word.count > 2 { return best.word }
        // A unique word with this prefix.
        let begun = words.filter { $0.hasPrefix(typed) }
        return typed.count > 2 && begun.count == 1 ? begun[0] : nil
    }

    /// Returns the edit distance: letters to add, drop, change or swap with a neighbour.
    static func distance(_ first: String, _ second: String) -> Int {
        let a = Array(first)
        let b = Array(second)
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                let change = rows[i][j] + (a[i] == b[j] ? 0 : 1)
                var best = min(change, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }

    /// The longest word that can be a typing error.
    private static let lengthLimit = 64
}
