import TuttiCommandLineInterface
import TuttiDiscovery

/// The action of `tutti` alone: says what the program is, shows three examples, and what it sees on the network.
enum WelcomeCommand: Command {
    // Messages name the program: there is no subcommand to type.
    static let declaration = CommandDeclaration(program: nil, name: "tutti", summary: "Say what this is")

    static func run(_ arguments: ParsedArguments) async -> ExitStatus {
        guard StandardStream.output.write(introduction) else { return .failure }
        return StandardStream.output.write(await network()) ? .success : .failure
    }

    static let summary = "Play music to AirPlay speakers, all rooms in step, or be one"

    static let examples = [
        CommandExample(
            "tutti play song.flac --to Kitchen", "play a file, folder or web address on a speaker"),
        CommandExample(
            "tutti serve --music ~/Music", "play in every room; the player is http://localhost:8321"),
        CommandExample("tutti speaker --name Kitchen", "be a speaker"),
    ]

    static let introduction = """
        Tutti plays music to AirPlay speakers, all rooms in step, and is an AirPlay speaker itself.

        \(HelpText.examples(examples))

        'tutti help' lists all commands, 'tutti help COMMAND' explains one, 'tutti demo' needs no speaker.


        """

    /// A paragraph about the speakers that answer within two seconds.
    private static func network() async -> String {
        do {
            return text(of: try await SpeakerLook.speakers(within: SpeakersCommand.lookTime))
        } catch {
            return "The network cannot be searched: \(error)\n"
        }
    }

    static func text(of speakers: [DiscoveredSpeaker]) -> String {
        guard !speakers.isEmpty else { return SpeakersView.advice + "\n" }
        let names = speakers.map { "  " + Printable.text($0.name) }
        let heading =
            speakers.count == 1 ? "One speaker answers here:" : "\(speakers.count) speakers answer here:"
        return ([heading] + names).joined(separator: "\n") + "\n"
    }
}
