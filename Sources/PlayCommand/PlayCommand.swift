import AVFoundation
import AirPlaySender
import CommandLineInterface
import MediaPlayer
import Playback
import SystemIO

/// The command `tutti play`: plays music on speakers or on this machine.
public enum PlayCommand: Command {
    public static let declaration = CommandDeclaration(
        name: "play",
        summary: "Play files, folders, lists or web addresses on one or more speakers, or on this machine",
        discussion: """
            tutti play album/ --to Kitchen --to "Living Room"
            tutti play album/                         on this machine's own output
            tutti play https://radio.example/live.pls

            An address may be a file, a radio station, an HLS stream, or a playlist (M3U, PLS) of these.
            Playlists may also be files. Tutti reconnects after a lost connection.

            Keys on a terminal: space pauses, left and right seek by 10 s, up and down change the volume,
            n and p play the next and the previous track, q quits. With --json, each event is a line on
            standard output, and each line of standard input is a command: pause, resume, seek SECONDS,
            volume 0...100, next, previous, remove INDEX, insert INDEX PATH, quit; and for one speaker,
            join NAME, leave NAME, volume NAME 0...100, delay NAME MILLISECONDS.

            Settings that a speaker always has (delay, maximum volume, kind of session, password) belong into
            the file ~/.config/tutti/speakers.json; options go before them.
            """,
        positionals: [
            PositionalDeclaration(
                name: "FILE|FOLDER|URL", count: .oneOrMore, kind: .file, help: "What to play, in this order")
        ],
        options: [
            .repeated("to", "NAME|ADDRESS[:PORT]", .text, "A speaker; repeat the option for more speakers"),
            .value(
                "output", "OUTPUT", .text,
                "Without --to, this machine's output:\nalsa[:DEVICE], pulse[:SINK], wave:FILE or null"),
            .repeated(
                "volume", "[NAME=]PERCENT", .text,
                "Volume at the start for one speaker or all;\nby default, each speaker keeps its own"),
            .value("start", "SECONDS", .duration, "Start position in the first track"),
            .value(
                "prefer", "WHAT", .choice(WirePreference.allCases.map(\.rawValue)),
                "lossless: exact bits (default); depth: more minutes ahead, as AAC"),
            .value("password", "WORD", .text, "Password for speakers that need one"),
            .repeated(
                "stream", "[NAME=]KIND", .text,
                "Kind of session for one speaker or all:\nbuffered, realtime or airplay1; usually found by itself"
            ),
            .repeated(
                "clock", "[NAME=]KIND", .text,
                "Clock for one speaker or all: ptp, ntp, or theirs to follow\nthe speaker's own; usually found by itself"
            ),
            .repeated(
                "format", "[NAME=]FORMAT", .text,
                "Format of a realtime stream: 44.1/16 (default), 44.1/24, 48/24 or\npcm, for a speaker that is known to play it"
            ),
            .repeated(
                "delay", "NAME=MS", .text,
                "Play later on this speaker than on the others, or with a minus\nearlier; up to 1000 ms"),
            .value("clock-id", "HEX", .text, "Identity of this sender's clock, up to 16 hexadecimal digits"),
            .value(
                "clock-ports", "EVENT,GENERAL", .text,
                "UDP ports of the clock instead of 319,320;\nonly for Tutti speakers with the same ports"),
            .value("address", "IP", .text, "Use the network interface with this address"),
            .flag("json", "Print events and read commands, one per line"),
            .flag("verbose", short: "v", "Print more detail when output is not a terminal"),
        ])

    public static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let began = ProcessStart.time ?? Player.now
        let words = arguments.all("to")
        let speakerOptions = try SpeakerOptions(arguments)
        let options = try options(arguments, speakerOptions)
        if words.isEmpty { try useLocalOutput(arguments) }
        guard words.isEmpty || arguments.value("output") == nil else {
            throw UsageError(
                "--output plays on this machine and --to on speakers; use only one of them")
        }
        let report = report(arguments)
        defer { report.end() }
        // The report already shows these warnings.
        RouteCatalogue.shared.setWarningHandler(nil)
        do {
            // Starts the clock first. Speakers that need one that cannot start say why.
            if !words.isEmpty { try? RouteCatalogue.shared.startClock(options) }
            let inputs = try PlayInputs.expand(arguments.positionals)
            let password = arguments.value("password")
            let speakers = PlaySpeakers(options: speakerOptions, report: report) { name in
                try await RouteCatalogue.shared.targets(
                    for: [name], password: password, localAddress: options.localAddress)
            }
            var targets = try await RouteCatalogue.shared.targets(
                for: words, password: password, localAddress: options.localAddress)
            try check(speakerOptions.apply(to: &targets), arguments, report)
            if !targets.isEmpty { RouteCatalogue.shared.select(targets, options: options) }
            // The long-form policy lets speakers buffer minutes of music.
            try AVAudioSession.sharedInstance().setCategory(.playback, mode: .default, policy: .longFormAudio)
            let status = await play(
                inputs, on: targets.map(\.name), speakers, volume: speakerOptions.volume,
                arguments: arguments,
                began: began, report: report)
            await RouteCatalogue.shared.deselect()
            return status
        } catch {
            report.fail(code(of: error), PlaySpeakers.words(error))
            await RouteCatalogue.shared.deselect()
            return .failure
        }
    }

    private static func useLocalOutput(_ arguments: ParsedArguments) throws(UsageError) {
        guard let text = arguments.value("output") else {
            RouteCatalogue.shared.selectLocalOutput()
            if let error = RouteCatalogue.shared.outputError { throw UsageError("\(error)") }
            return
        }
        do throws(OutputSpecificationError) {
            RouteCatalogue.shared.setLocalOutput(try OutputSpecification(parsing: text))
        } catch {
            throw UsageError("--output: \(error)")
        }
    }

    /// Reports options for speakers that are not there.
    ///
    /// - Throws: unless commands can let the speaker join later.
    private static func check(
        _ unmatched: [SpeakerOptions.Unmatched], _ arguments: ParsedArguments, _ report: any PlayReport
    ) throws(UsageError) {
        for entry in unmatched {
            let words = "--\(entry.option) names \(entry.name), to which nothing is played"
            guard arguments.flag("json") else { throw UsageError("\(words); add --to \(entry.name)") }
            report.warn("unknown-speaker", "\(words) yet; it counts if \(entry.name) joins")
        }
    }

    static func code(of error: any Error) -> String {
        switch error {
        case is RouteError: "speaker"
        case is PlayInputError: "input"
        case is SpeakerLookupError: "unknown-speaker"
        default: "failed"
        }
    }

    private static func options(
        _ arguments: ParsedArguments, _ speakers: SpeakerOptions
    ) throws(UsageError) -> RouteCatalogue.Options {
        var options = RouteCatalogue.Options()
        options.volume = speakers.volume
        if let word = arguments.value("prefer"), let preference = WirePreference(rawValue: word) {
            options.preference = preference
        }
        if let digits = arguments.value("clock-id") {
            guard let value = UInt64(digits, radix: 16), value != 0, value >> 63 == 0 else {
                throw UsageError(
                    "--clock-id takes up to 16 hexadecimal digits, not zero and with the first bit zero")
            }
            options.clockIdentity = ClockIdentity(rawValue: value)
        }
        options.clockPorts = try ClockPorts.parse(arguments.value("clock-ports"))
        if let text = arguments.value("address") {
            guard let address = IPAddress(text) else {
                throw UsageError("--address takes an IP address of this machine, such as 192.168.1.5")
            }
            options.localAddress = address
        }
        return options
    }

    private static func report(_ arguments: ParsedArguments) -> any PlayReport {
        if arguments.flag("json") { return JSONPlayReport() }
        let isTerminal = Terminal.isTTY(StandardStream.output.rawValue)
        return isTerminal ? TerminalPlayReport() : PlainPlayReport(isVerbose: arguments.flag("verbose"))
    }

    private static func play(
        _ inputs: [PlayInput], on names: [String], _ speakers: PlaySpeakers, volume: Double?,
        arguments: ParsedArguments, began: CMTime, report: any PlayReport
    ) async -> ExitStatus {
        let (ends, end) = AsyncStream<Player.End>.makeStream()
        let player = Player(
            inputs: inputs, volume: volume, commandTime: began, report: report
        ) {
            end.yield($0)
        }
        let monitor = PlayMonitor(
            names: names, report: report, onHopeless: { player.giveUp() })
        let remote = PlayRemote { player.perform($0) }
        remote.attach(to: .shared())
        defer { remote.detach() }
        let listening = Task { await monitor.follow(RouteCatalogue.shared.events) }
        let control = PlayControl(isJSON: arguments.flag("json"), report: report) { request in
            if case .speaker(let request) = request {
                speakers.perform(request)
            } else {
                player.perform(request)
            }
        }
        control.start()
        let changes = Task { await speakers.run() }
        let signals = Task {
            for await _ in SignalStream.of(SignalStream.termination) { player.perform(PlayRequest.quit) }
        }
        player.start(at: arguments.duration("start").map { $0 / .seconds(1) } ?? 0)
        var status = ExitStatus.success
        for await result in ends {
            status = result == .finished ? .success : .failure
            break
        }
        control.stop()
        changes.cancel()
        listening.cancel()
        signals.cancel()
        return status
    }
}
