import AVFoundation
import AirPlaySender
import AudioOutput
import ClockService
import CommandLineInterface
import Discovery
import Foundation
import MediaTime
import Playback
import SystemIO

/// The command `tutti play`: plays music on speakers or on this machine.
enum PlayCommand: Command {
    static let declaration = CommandDeclaration(
        name: "play",
        summary: "Play files, folders, lists or web addresses on one or more speakers, or on this machine",
        discussion: """
            tutti play album/ --to Kitchen --to "Living Room"
            tutti play album/                         on this machine's own output
            tutti play https://radio.example/live.pls

            Addresses may be files, radio stations, HLS streams, and lists (M3U, PLS) of such; lists may
            also be files. A connection that is lost is taken up again.

            On a terminal: space pauses, left and right move 10 s, up and down change the volume, n and p
            go to the next and previous track, q ends. With --json every event is a line on standard
            output, and these lines on standard input are commands: pause, resume, seek SECONDS,
            volume 0...100, next, previous, remove INDEX, insert INDEX PATH, quit.
            """,
        positionals: [
            PositionalDeclaration(
                name: "FILE|FOLDER|URL", count: .oneOrMore, kind: .file, help: "What to play, in this order")
        ],
        options: [
            .repeated("to", "NAME|ADDRESS[:PORT]", .text, "A speaker; may be given several times"),
            .value(
                "output", "OUTPUT", .text,
                "Without --to: alsa[:DEVICE], pulse[:SINK], wave:FILE, null"),
            .value(
                "volume", "PERCENT", .number(0...100), "Volume to begin with; else the speakers keep theirs"),
            .value("start", "SECONDS", .duration, "Begin here in the first track"),
            .value(
                "prefer", "WHAT", .choice(WirePreference.allCases.map(\.rawValue)),
                "lossless: exact bits (default); depth: minutes of AAC"),
            .value("password", "WORD", .text, "Password of the speakers that want one"),
            .value("clock-id", "HEX", .text, "Identity of our clock, 16 hexadecimal digits"),
            .value(
                "clock-ports", "EVENT,GENERAL", .text,
                "Instead of 319,320, for speakers of Tutti's with the same"),
            .value("address", "IP", .text, "Use the network interface with this address"),
            .flag("json", "Events and commands as lines"),
            .flag("verbose", short: "v", "Tell more"),
        ])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let began = ProcessStart.time ?? SystemClock.now
        let words = arguments.all("to")
        let options = try options(arguments)
        if words.isEmpty { try useLocalOutput(arguments) }
        guard words.isEmpty || arguments.value("output") == nil else {
            throw UsageError(
                "--output is for this machine's own sound, and --to for speakers: say one of them")
        }
        let report = report(arguments)
        defer { report.end() }
        // The report already shows these warnings.
        RouteCatalogue.shared.setWarningHandler(nil)
        do {
            // Starts the clock first: without its ports nothing else works.
            if !words.isEmpty { try RouteCatalogue.shared.startClock(options) }
            let inputs = try PlayInputs.expand(arguments.positionals)
            let targets = try await targets(of: words, arguments, options)
            if !targets.isEmpty { try RouteCatalogue.shared.select(targets, options: options) }
            // The long-form policy lets speakers buffer minutes of music.
            try AVAudioSession.sharedInstance().setCategory(.playback, mode: .default, policy: .longFormAudio)
            let status = await play(
                inputs, on: targets.map(\.name), arguments: arguments, began: began, report: report)
            await RouteCatalogue.shared.deselect()
            return status
        } catch {
            report.show(.error(code: code(of: error), speaker: nil, message: "\(error)"))
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

    private static func targets(
        of words: [String], _ arguments: ParsedArguments, _ options: RouteCatalogue.Options
    ) async throws -> [SpeakerTarget] {
        guard !words.isEmpty else { return [] }
        let resolution = SpeakerResolution(
            localAddress: options.localAddress, password: arguments.value("password"),
            interface: try options.localAddress.flatMap(interface(having:)))
        return try await resolution.targets(for: words)
    }

    /// Returns the interface on which to search for speakers; `nil` for any if the address is a loopback
    /// address. Loopback addresses belong to this machine even if no interface lists them.
    private static func interface(having address: IPAddress) throws(DiscoveryError) -> NetworkInterface? {
        address.isLoopback ? nil : try NetworkInterface.having(address: address.description)
    }

    private static func code(of error: any Error) -> String {
        switch error {
        case is ClockServiceError: "clock-ports"
        case is PlayInputError: "input"
        case is SpeakerLookupError: "unknown-speaker"
        default: "failed"
        }
    }

    private static func options(_ arguments: ParsedArguments) throws(UsageError) -> RouteCatalogue.Options {
        var options = RouteCatalogue.Options()
        options.volume = arguments.number("volume")
        if let word = arguments.value("prefer"), let preference = WirePreference(rawValue: word) {
            options.preference = preference
        }
        if let digits = arguments.value("clock-id") {
            guard let value = UInt64(digits, radix: 16), value != 0, value >> 63 == 0 else {
                throw UsageError("--clock-id takes up to 16 hexadecimal digits, the first bit zero")
            }
            options.clockIdentity = ClockIdentity(rawValue: value)
        }
        options.clockPorts = try ClockPorts.parse(arguments.value("clock-ports"))
        if let text = arguments.value("address") {
            guard let address = IPAddress(text) else { throw UsageError("--address takes an IP address") }
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
        _ inputs: [PlayInput], on speakers: [String], arguments: ParsedArguments, began: HostTime,
        report: any PlayReport
    ) async -> ExitStatus {
        let (ends, end) = AsyncStream<Player.End>.makeStream()
        let player = Player(
            inputs: inputs, volume: arguments.number("volume"), commandTime: began, report: report
        ) {
            end.yield($0)
        }
        let monitor = PlayMonitor(
            names: speakers, report: report, onHopeless: { player.giveUp() })
        let remote = PlayRemote { player.perform($0) }
        remote.attach(to: .shared)
        defer { remote.detach(from: .shared) }
        let listening = Task { await monitor.follow(RouteCatalogue.shared.events) }
        let control = PlayControl(isJSON: arguments.flag("json"), report: report) { player.perform($0) }
        control.start()
        let signals = Task {
            for await _ in SignalStream.of(SignalStream.termination) { player.perform(PlayRequest.quit) }
        }
        player.start(at: arguments.duration("start")?.inSeconds ?? 0)
        var status = ExitStatus.success
        for await result in ends {
            status = result == .finished ? .success : .failure
            break
        }
        control.stop()
        listening.cancel()
        signals.cancel()
        return status
    }
}
