import TuttiAudioOutput
import TuttiCommandLineInterface

/// The command `tutti outputs`: lists this machine's audio outputs.
enum OutputsCommand: Command {
    static let declaration = CommandDeclaration(
        name: "outputs",
        summary: "List this machine's outputs, for --output",
        examples: [
            CommandExample("tutti outputs", "values for --output")
        ],
        discussion: """
            Lists ALSA devices, PulseAudio or PipeWire sinks, and two outputs without a device: wave:FILE
            writes the sound to a file, null discards it.
            """,
        options: [.flag("json", "Print one JSON object per output")])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        var outputs = OutputListing.alsa()
        var complaint: OutputError?
        do {
            outputs += try OutputListing.pulse()
        } catch {
            complaint = error
        }
        let report = OutputsReport(outputs: outputs)
        let lines = arguments.flag("json") ? report.json : report.table
        guard lines.allSatisfy({ StandardStream.output.line($0) }) else { return .failure }
        if let complaint {
            Console.error("tutti outputs", complaint.description)
        }
        return .success
    }
}
