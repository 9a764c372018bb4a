import Testing
import TuttiSurfaceCommands

@testable import TuttiHouseMPD

@Suite("The table of commands, MPD")
struct SurfaceCommandTests {
    @Test("each row is a command that MPD clients can send, with so many arguments")
    func commands() throws {
        for row in CommandRow.all {
            guard let words = row[.mpd].words?.split(separator: " ") else { continue }
            let command = try #require(CommandTable.commands[String(words[0])], "\(row.name)")
            #expect(command.count.contains(words.count - 1), "\(row.name)")
        }
    }
}
