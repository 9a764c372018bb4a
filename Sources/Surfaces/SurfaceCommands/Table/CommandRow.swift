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
    case pageStop = "The page only pauses. To release rooms, take them out of the zone."
    case noWordInMPD = "The protocol of MPD has no command for it."
    case noWordInMPRIS = "MPRIS describes a player and its track list, and has no member for it."
    case noEntriesInMQTT = "MQTT does not publish the entries of a queue, so clients have no ids of entries."
    case noZonesByMQTT = "Zones are made and removed only on the page, by HTTP, in the shell or with MPD."
    case secretsByMQTT = "Secrets are not sent through a broker, because it keeps and copies messages."
    case noSpeedInShell = "The shell has no command for the rate; HTTP, MQTT, MPRIS and the page have one."
    case forgetting = "Rooms are forgotten only on the page, by HTTP or in the shell."
}

/// The difference between a command on a surface and its meaning on the others: a footnote.
package enum Difference: String, CaseIterable, Sendable {
    case previousOfMPD =
        "MPD's `previous` always goes to the previous song, as its protocol says; in random order it works as on other surfaces."
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
