import CommandLineInterface
import Glibc
import PlayCommand
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
        DoctorCommand.self,
        PairCommand.self,
        UnpairCommand.self,
        PairedCommand.self,
        DemoCommand.self,
        OutputsCommand.self,
        CompletionsCommand.self,
    ]

    /// The programs that replace former subcommands.
    static let programs = ["access-notes": "access-notes"]

    static func main() async {
        // A closed pipe then fails the write instead of killing the process.
        signal(SIGPIPE, SIG_IGN)
        // Few threads allocate much; an arena per thread would only waste memory.
        AllocatorArenas.limit(to: 2)
        let arguments = Array(CommandLine.arguments.dropFirst())
        let invocation = Invocation(
            arguments, commands: commands, version: version, programs: programs)
        end(await invocation.perform())
    }

    /// Exits without running the libraries' destructors, because other threads may still run library code.
    /// The owners of sessions and network services have already closed them.
    private static func end(_ status: ExitStatus) -> Never {
        RawMode.giveBack()
        // Our own output is unbuffered; a library's may not be.
        fflush(nil)
        _exit(status.rawValue)
    }
}
