import Glibc
import SystemIO

@main
struct Tutti {
    static let version = "0.1.0"

    /// The subcommands in the order of the help.
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
        // A closed pipe then fails the write instead of killing the process.
        signal(SIGPIPE, SIG_IGN)
        // Few threads allocate much; an arena per thread would only waste memory.
        AllocatorArenas.limit(to: 2)
        end(await run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Exits without running the libraries' destructors, because other threads may still run library code.
    /// The owners of sessions and network services have already closed them.
    private static func end(_ status: ExitStatus) -> Never {
        RawMode.giveBack()
        // Our own output is unbuffered; a library's may not be.
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
