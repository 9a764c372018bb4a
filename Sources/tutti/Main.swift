import Glibc
import SystemIO

@main
struct Tutti {
    static let version = "0.1.0"

    /// In the order of the help.
    static let commands: [any Command.Type] = [
        PlayCommand.self,
        SpeakerCommand.self,
        SpeakersCommand.self,
        InfoCommand.self,
        DemoCommand.self,
        OutputsCommand.self,
        AccessNotesCommand.self,
        CompletionsCommand.self,
    ]

    static func main() async {
        // A reader that closes the pipe shows as a failed write.
        signal(SIGPIPE, SIG_IGN)
        // Few threads allocate much here; an arena for each of them would only hold memory.
        AllocatorArenas.limit(to: 2)
        end(await run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Ends the process and takes no library down: other threads may be inside of it. What is to be put in order, such as
    /// sessions and services on the network, was put in order by its owner.
    private static func end(_ status: ExitStatus) -> Never {
        RawMode.giveBack()
        // Our own output has no buffer; a library's may.
        fflush(nil)
        _exit(status.rawValue)
    }

    static func run(_ arguments: [String]) async -> ExitStatus {
        switch Invocation(arguments, commands: commands, version: version) {
        case .print(let text):
            return StandardStream.output.write(text) ? .success : .failure
        case .complain(let line):
            StandardStream.error.line(line)
            return .usage
        case .run(let command, let parsed):
            do {
                return try await command.run(parsed)
            } catch {
                StandardStream.error.line(Invocation.complaint(error, about: command.declaration))
                return .usage
            }
        }
    }
}
