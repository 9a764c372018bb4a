import AirPlaySender
import TuttiCommandLineInterface

/// The command `tutti paired`: lists the speakers that are paired.
enum PairedCommand: Command {
    static let declaration = CommandDeclaration(
        name: "paired",
        summary: "List the speakers that are paired",
        examples: [
            CommandExample("tutti paired", "names and ids")
        ],
        options: [.flag("json", "Print one JSON object per speaker")])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let speakers = SpeakerPairings.shared.all
        let lines = arguments.flag("json") ? speakers.map { json($0).text } : table(speakers)
        let isWritten = lines.allSatisfy { StandardStream.output.line($0) }
        return isWritten ? .success : .failure
    }

    static func json(_ speaker: PairedSpeaker) -> JSONLine {
        JSONLine(["name": .string(speaker.name), "id": .string(speaker.id)])
    }

    static func table(_ speakers: [PairedSpeaker]) -> [String] {
        guard !speakers.isEmpty else { return ["No speaker is paired; 'tutti pair SPEAKER' pairs with one."] }
        var table = TextTable(header: ["NAME", "ID"])
        for speaker in speakers { table.append([speaker.name, speaker.id]) }
        return table.lines()
    }
}
