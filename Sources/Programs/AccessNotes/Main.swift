import CTuttiVersion
import Glibc
import TuttiCommandLineInterface

@main
struct AccessNotesProgram {
    static let version = String(cString: tutti_version)

    static func main() async {
        // A closed pipe then fails the write instead of killing the process.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(await Invocation(arguments, of: AccessNotesCommand.self, version: version).perform().rawValue)
    }
}
