/// A surface of the house, as a column of the table of commands.
package enum SurfaceColumn: String, CaseIterable, Sendable {
    case page, http, shell, mpd, mqtt, mpris

    /// The heading of the column.
    package var title: String {
        switch self {
        case .page: "page"
        case .http: "HTTP, below `/api/v1`"
        case .shell: "shell, after `tutti`"
        case .mpd: "MPD"
        case .mqtt: "MQTT, below `tutti/HOUSE`"
        case .mpris: "MPRIS"
        }
    }
}

/// The way in which a surface says a command.
package enum CommandForm: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The words: a control of the page, a route with an example of its body, a command line, a topic with an
    /// example of its payload after `=`, a member of MPRIS.
    case says(String)
    /// The words, which mean something else on this surface in the way that a note tells.
    case differs(String, Difference)
    /// The surface lacks the command.
    case lacks(Lack)

    /// Makes the form of words.
    package init(stringLiteral value: String) { self = .says(value) }

    /// The words; `nil` if the surface lacks the command.
    package var words: String? {
        switch self {
        case .says(let words), .differs(let words, _): words
        case .lacks: nil
        }
    }
}

/// The reason why a surface lacks a command: a footnote.
package enum Lack: String, CaseIterable, Sendable {
    case oneButton = "The button shows what it does, play or pause, and sends that command."
    case pageStop = "The page pauses. Rooms are let go by taking them out of the zone."
    case noWordInMPD = "The protocol of MPD has no command for it."
    case noWordInMPRIS = "MPRIS knows one player and its track list, and has no member for it."
    case noEntriesInMQTT = "MQTT does not tell the entries of a queue, so there are no ids to name."
    case noZonesByMQTT = "Zones are made and removed by people, on the page or in the shell."
    case secretsByMQTT = "A secret does not go through a broker, which keeps and copies messages."
    case noSpeedInShell = "The shell has no speed; HTTP, MQTT, MPRIS and the page have it."
    case forgetting = "Forgetting is for people who look at the list of rooms."
}

/// The difference between a command on a surface and its meaning on the others: a footnote.
package enum Difference: String, CaseIterable, Sendable {
    case previousOfMPD =
        "MPD's `previous` always goes to the song before, as its protocol says; only in random order it is as elsewhere."
}

/// A row of the table: a command, and how each surface says it.
package struct CommandRow: Sendable {
    /// The name.
    package let name: CommandName
    /// The meaning, in a sentence.
    package let meaning: String
    private let forms: [CommandForm]

    init(
        _ name: CommandName, _ meaning: String, page: CommandForm, http: CommandForm, shell: CommandForm,
        mpd: CommandForm, mqtt: CommandForm, mpris: CommandForm
    ) {
        (self.name, self.meaning) = (name, meaning)
        forms = [page, http, shell, mpd, mqtt, mpris]
    }

    /// The way in which a surface says the command.
    package subscript(column: SurfaceColumn) -> CommandForm {
        forms[SurfaceColumn.allCases.firstIndex(of: column) ?? 0]
    }
}
