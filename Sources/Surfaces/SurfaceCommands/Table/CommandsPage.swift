/// The page `docs/commands.md`, generated from the table.
package enum CommandsPage {
    /// The page's text.
    package static var text: String {
        var notes: [String] = []
        var lines: [String] = []
        for row in CommandRow.all {
            let cells = SurfaceColumn.allCases.map { column in
                switch row[column] {
                case .says(let words): column == .page ? words : code(words)
                case .differs(let words, let difference): code(words) + mark(difference.rawValue, &notes)
                case .lacks(let reason): "–" + mark(reason.rawValue, &notes)
                }
            }
            lines.append("| `\(row.name.rawValue)` | \(row.meaning) | \(cells.joined(separator: " | ")) |")
        }
        let head = (["command", "meaning"] + SurfaceColumn.allCases.map(\.title)).joined(separator: " | ")
        let rule = String(repeating: "|---", count: SurfaceColumn.allCases.count + 2) + "|"
        let reasons = notes.enumerated().map { "\($0 + 1). \($1)" }
        return
            ([introduction, "| \(head) |", rule] + lines + [
                "", "– means that the surface lacks the command. The numbers:", "",
            ]
            + reasons).joined(separator: "\n") + "\n"
    }

    private static func mark(_ note: String, _ notes: inout [String]) -> String {
        if !notes.contains(note) { notes.append(note) }
        return " (\((notes.firstIndex(of: note) ?? 0) + 1))"
    }

    private static func code(_ words: String) -> String { "`\(words.replacing("|", with: "\\|"))`" }

    private static let introduction = """
        # The commands of the house

        Every command has the same name and the same meaning on all surfaces, unless a note below the table says otherwise. This page is generated:
        `tutti reference commands > docs/commands.md`. Tests are made from the same table: they check that each route, command line,
        MPD command and topic in it exists, and `Interop/run.py --only 'commands.*'` sends each of them with a real client to a
        running service, and checks that the effect is the same.

        Values in the table are examples. `{zone}` and `ZONE` are a zone, `{room}` and `ROOM` a room, `ID` an entry, an
        announcement or an alarm, `INPUT` the name of an input, `FILE` a path in the library's folders or a web address; on MQTT, `+` is the level of a
        zone, a room or an alarm, and the payload follows `=`.

        """
}
