import CommandLineInterface
import Glibc

@main
struct AccessNotesProgram {
    static let version = "0.1.0"

    static func main() async {
        // A closed pipe then fails the write instead of killing the process.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(await Invocation(arguments, of: AccessNotesCommand.self, version: version).perform().rawValue)
    }
}
