import CTuttiVersion
import Glibc
import TuttiCommandLineInterface
import TuttiSystemIO

@main
struct Tutti {
    /// The version of scripts/version.sh, which knows the tag.
    static let version = String(cString: tutti_version)

    /// The subcommands in the order of the help.
    static let commands: [any Command.Type] = [
        HousePlayCommand.self,
        ServeCommand.self,
        StatusCommand.self,
        PauseCommand.self,
        ToggleCommand.self,
        StopCommand.self,
        NextCommand.self,
        PreviousCommand.self,
        SeekCommand.self,
        VolumeCommand.self,
        QueueCommand.self,
        ZoneCommand.self,
        RoomCommand.self,
        SleepCommand.self,
        ShuffleCommand.self,
        RepeatCommand.self,
        SayCommand.self,
        AlarmCommand.self,
        SpeakerCommand.self,
        SinkCommand.self,
        SpeakersCommand.self,
        InfoCommand.self,
        DoctorCommand.self,
        PairCommand.self,
        UnpairCommand.self,
        PairedCommand.self,
        DemoCommand.self,
        OutputsCommand.self,
        ConfigCommand.self,
        CompletionsCommand.self,
        CompleteCommand.self,
        ReferenceCommand.self,
    ]

    /// The programs that replace former subcommands.
    static let programs = ["access-notes": "access-notes"]

    static func main() async {
        // A closed pipe then fails the write instead of killing the process.
        signal(SIGPIPE, SIG_IGN)
        // Few threads allocate much; an arena per thread would only waste memory.
        AllocatorArenas.limit(to: 2)
        end(await invocation(Array(CommandLine.arguments.dropFirst())).perform())
    }

    /// Parses the words after the program's name.
    static func invocation(_ words: [String]) -> Invocation {
        Invocation(
            words, commands: commands, version: version, programs: programs, welcome: WelcomeCommand.self,
            examples: WelcomeCommand.examples)
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
