import Glibc
import TuttiCommandLineInterface

@main
struct StandInProgram {
    static func main() async {
        // A closed pipe then fails the write instead of killing the process.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        let status = await Invocation(arguments, of: StandInCommand.self, version: "0").perform()
        fflush(nil)
        _exit(status.rawValue)
    }
}
