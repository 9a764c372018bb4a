import AirPlaySender
import Foundation
import TuttiCommandLineInterface

/// The hidden command `tutti complete`: the words that a shell offers, for the scripts of `tutti
/// completions`. A shell shows no errors here: who cannot be asked has no words.
enum CompleteCommand: Command {
    static let declaration: CommandDeclaration = {
        var declaration = CommandDeclaration(
            name: "complete",
            summary: "Print completions for the scripts of 'tutti completions'",
            positionals: [
                PositionalDeclaration(
                    name: "SHELL", kind: .choice(CompletionScript.allCases.map(\.rawValue)),
                    help: "bash, zsh or fish"),
                PositionalDeclaration(
                    name: "WORD", count: .any, kind: .word,
                    help: "bash: the line up to the cursor, and its last word; else the words"),
            ])
        declaration.isHidden = true
        return declaration
    }()

    /// The longest look at the network, and its rest after the first answer. *Observed*: speakers answer after a
    /// quarter of a second, or a whole one after another look.
    private static let look = (longest: Duration.milliseconds(1900), rest: Duration.milliseconds(200))
    /// The time for the names of the service: a person waits.
    private static let patience = Duration.milliseconds(70)

    static func run(_ arguments: ParsedArguments) async -> ExitStatus {
        let words = Array(arguments.positionals.dropFirst())
        let text: String
        if arguments.positional(0) == CompletionScript.bash.rawValue {
            text = await CompletionReply.bash(line: words.first ?? "", word: words.dropFirst().first ?? "") {
                await answer($0, $1)
            }
        } else {
            let (before, current) = CompletionReply.words(words)
            text = CompletionReply.text(await answer(before, current))
        }
        return StandardStream.output.write(text) ? .success : .failure
    }

    private static func answer(_ words: [String], _ current: String) async -> Completion {
        await Completion.answer(words, current: current, commands: Tutti.commands.map { $0.declaration }) {
            await names($0)
        }
    }

    /// Returns what a request wants of the service; no words if no service answers in time.
    private static func names(_ request: CompletionRequest) async -> Completion? {
        switch RemoteCompletion.wish(of: request) {
        case .declared: return nil
        case .files: return .files
        case .words(let words): return .words(words)
        case .speakers: return .words(await speakers(request))
        case .paired:
            return .words(SpeakerPairings.shared.all.map { CompletionCandidate($0.name, note: $0.id) })
        case .names(let kinds, let more):
            let answer = await soon(within: patience) {
                guard let service = try? service(request), let house = try? await service.house() else {
                    return [CompletionCandidate]()
                }
                let entries = kinds.contains(.entries) ? await entries(request, house, service) : []
                return RemoteCompletion.candidates(kinds, house, entries: entries, current: request.current)
            }
            return .words((answer ?? []) + more)
        }
    }

    /// Returns the names of speakers: rooms of a running service, which has looked already, else those that answer soon.
    private static func speakers(_ request: CompletionRequest) async -> [CompletionCandidate] {
        let house = await soon(within: patience) {
            try? await RemoteService(host: nil, config: nil, limit: patience).house()
        }
        let names = (house ?? nil).map(RemoteCompletion.speakers) ?? []
        guard names.isEmpty else { return names }
        let found = (try? await SpeakerLook.speakers(within: look.longest, rest: look.rest)) ?? []
        return found.map { CompletionCandidate($0.name, note: $0.model) }
    }

    private static func service(_ request: CompletionRequest) throws(RemoteFailure) -> RemoteService {
        try RemoteService(
            host: request.options["host"], config: request.options["config"], limit: patience)
    }

    private static func entries(
        _ request: CompletionRequest, _ house: RemoteHouse, _ service: RemoteService
    ) async -> [RemoteZone.Entry] {
        let name = request.options["zone"] ?? ProcessInfo.processInfo.environment["TUTTI_ZONE"]
        guard let zone = try? house.zone(meantBy: name),
            let page = try? await service.ask(RemoteQueue.self, RemoteService.queuePath(zone, start: 0))
        else { return [] }
        return page.entries
    }
}
