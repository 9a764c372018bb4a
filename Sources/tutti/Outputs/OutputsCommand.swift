import AudioOutput
import CommandLineInterface

/// The command `tutti outputs`: lists this machine's audio outputs.
enum OutputsCommand: Command {
    static let declaration = CommandDeclaration(
        name: "outputs",
        summary: "List what this machine can play to, for --output",
        discussion: """
            Devices of ALSA, sinks of PulseAudio or PipeWire, and the two outputs that need no device: wave:FILE
            writes what would be heard, null throws it away.
            """,
        options: [.flag("json", "One JSON object a line for each output")])

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
            StandardStream.error.line("tutti outputs: \(Printable.text(complaint.description))")
        }
        return .success
    }
}
