import AirPlaySender
import Playback
import TuttiAudioOutput
import TuttiCommandLineInterface
import TuttiPlayCommand
import TuttiSystemIO

/// The command `tutti sink`: a virtual output of the desktop, or a pipe, that is heard on speakers.
enum SinkCommand: Command {
    static let declaration = CommandDeclaration(
        name: "sink",
        summary: "Add an output to the desktop, and play its sound on speakers",
        examples: [
            CommandExample("tutti sink --to Kitchen", "an output named after the speaker"),
            CommandExample(
                "tutti sink --pipe /tmp/music --format s16le/44100/2 --to Kitchen", "a named pipe instead"),
            CommandExample("tutti sink Films --to \"Living Room\" --to Kitchen", "one for two rooms"),
        ],
        discussion: """
            Adds an output to PulseAudio or PipeWire that mixers show by its NAME, until Ctrl-C.
            Programs are told how much later their sound is heard, so that films stay in step with
            their pictures: a tenth of a second on Tutti's own speakers, two seconds on AirPlay 1
            speakers. After a minute of silence the speakers are free; the next sound takes them
            again.
            """,
        positionals: [
            PositionalDeclaration(
                name: "NAME", count: .optional, help: "The name in mixers; by default Tutti")
        ],
        options: [
            .repeated("to", "NAME|ADDRESS[:PORT]", .text, "A speaker; repeat the option for more speakers"),
            .repeated(
                "output", "OUTPUT", .text, "Also an output of this machine; 'tutti outputs' lists them"),
            .value("volume", "PERCENT", .text, "Volume at the start; by default, each speaker keeps its own"),
            .value("server", "ADDRESS", .text, "The sound server, as in PULSE_SERVER, or pipewire:SOCKET"),
            .value(
                "pipe", "PATH", .file,
                "Read raw samples from this named pipe instead;\ncreated if it does not exist"),
            .value(
                "format", "FORMAT", .text,
                "Format of the pipe: s16le/44100/2 (default),\ns24le, s32le or f32le"),
        ] + SecretOption.password("Password for speakers that need one") + [
            .value(
                "clock-ports", "EVENT,GENERAL", .text,
                "UDP ports of the clock instead of 319,320;\nonly for Tutti speakers with the same ports"),
            .value("address", "IP", .text, "Use the network interface with this address"),
            .flag("json", "Print a JSON object for each event"),
            .flag("verbose", short: "v", "Also print changes of the latency and the volume"),
        ])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let report = SinkReport(isJSON: arguments.flag("json"), isVerbose: arguments.flag("verbose"))
        let password = try SecretOption.read(arguments, of: declaration)
        let options = try options(arguments)
        let outputs = try outputs(arguments)
        guard !arguments.all("to").isEmpty || !outputs.isEmpty else {
            throw UsageError("name a speaker to play on: --to NAME; 'tutti speakers' lists them")
        }
        let name = arguments.positionals.first ?? "Tutti"
        let source = try source(name, arguments, report)
        LibraryPages.releaseAroundStart()
        let catalogue = RouteCatalogue.shared
        catalogue.setWarningHandler(nil)
        do {
            catalogue.setOptions(options)
            // If the clock cannot start, the speakers that need it report why.
            try? catalogue.startClock(options)
            var targets = try await catalogue.targets(
                for: arguments.all("to"), password: password,
                localAddress: options.localAddress)
            targets += outputs.map { catalogue.target(of: $0) }
            let sink = DesktopSink(targets, options, source: source, report: report)
            try sink.open()
            let work = Task { await sink.run() }
            for await _ in SignalStream.of(SignalStream.termination) { break }
            await sink.close()
            work.cancel()
            await catalogue.deselect()
            return .success
        } catch {
            Console.error("tutti sink", "\(words(error))")
            await catalogue.deselect()
            return ExitStatus(failureCode: error is SpeakerLookupError ? "unknown-speaker" : "failed")
        }
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case SpeakerLookupError.notFound: "\(error). Is it switched on? `tutti speakers` lists the names"
        case SpeakerLookupError.ambiguous: "\(error); name one by its id or its address"
        default: "\(error)"
        }
    }

    private static func source(
        _ name: String, _ arguments: ParsedArguments, _ report: SinkReport
    ) throws(UsageError) -> any LiveSource {
        guard let path = arguments.value("pipe") else {
            if arguments.value("format") != nil { throw UsageError("--format is for --pipe") }
            return DesktopSource(
                name: "tutti." + name, title: name, server: arguments.value("server"),
                onReady: { report.ready(name, server: $0) }, onLost: { report.lost($0) })
        }
        do throws(LiveFormatError) {
            let format = try arguments.value("format").map { text throws(LiveFormatError) in
                try LiveFormat(text)
            }
            return LivePipe(path: path, format: format ?? .standard)
        } catch {
            throw UsageError("--format: \(error)")
        }
    }

    private static func outputs(_ arguments: ParsedArguments) throws(UsageError) -> [OutputSpecification] {
        do throws(OutputSpecificationError) {
            return try arguments.all("output").map { text throws(OutputSpecificationError) in
                try OutputSpecification(parsing: text)
            }
        } catch {
            throw UsageError("--output: \(error)")
        }
    }

    private static func options(_ arguments: ParsedArguments) throws(UsageError) -> RouteCatalogue.Options {
        var options = RouteCatalogue.Options()
        if let text = arguments.value("volume") {
            guard let percent = Double(text), (0...100).contains(percent) else {
                throw UsageError("--volume takes a number from 0 to 100")
            }
            options.volume = percent
        }
        options.clockPorts = try ClockPorts.parse(arguments.value("clock-ports"))
        options.localAddress = try PairingTarget.localAddress(arguments)
        return options
    }
}
