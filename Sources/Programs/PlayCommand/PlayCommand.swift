import AirPlaySender
import AVFoundation
import MediaPlayer
import Playback
import TuttiCommandLineInterface
import TuttiSystemIO

/// The command `tutti play`: plays music on speakers or on this machine.
public enum PlayCommand: Command {
    public static let declaration = CommandDeclaration(
        name: "play",
        summary: "Play files, folders, playlists or web addresses on speakers, or on this machine",
        examples: [
            CommandExample("tutti play song.flac --to Kitchen", "one speaker, by its name"),
            CommandExample(
                "tutti play album/ --to Kitchen --to \"Living Room\"", "a folder in two rooms, in step"
            ),
            CommandExample("tutti play https://radio.example/live.pls", "a station, on this machine"),
            CommandExample(
                "ffmpeg ... -f s16le - | tutti play - --format s16le/44100/2 --to Kitchen", "raw samples"),
        ],
        discussion: """
            A '-' is standard input, which like a named pipe takes any container that can be read from its
            beginning to its end, or with --format raw samples. Neither can seek, and with '-' there are no keys
            and no commands.

            An address may be a file, a radio station, an HLS stream, or a playlist (M3U, PLS) of these.
            Playlists may also be files. Tutti reconnects after a lost connection.

            The pictures of a film are shown in a window, in step with what is heard, where there is a
            display. A subtitle file beside the film is shown; the key s chooses others.

            Keys on a terminal and in the window: space pauses, left and right seek by 10 s, up and down
            change the volume, m mutes, n and p play the next and the previous track, [ and ] change the
            speed, q quits. For films, comma and period step by a picture, s changes the subtitles, and in
            the window f is the full screen and backspace the usual speed.

            With --json, each event is a line on standard output, and each line of standard input is a
            command: pause, resume, seek SECONDS, volume 0...100, mute, rate 0.25...4, step NUMBER,
            subtitles, full-screen on|off, next, previous, remove INDEX, insert INDEX PATH, quit; and for
            one speaker, join NAME, leave NAME, volume NAME 0...100, delay NAME MILLISECONDS.

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
                "lossless: bit for bit (default); depth: more minutes ahead, as AAC"),
            .repeated(
                "stream", "[NAME=]KIND", .text,
                "Kind of session for one speaker or all:\nbuffered, realtime or airplay1; usually chosen automatically"
            ),
            .repeated(
                "clock", "[NAME=]KIND", .text,
                "Clock for one speaker or all: ptp, ntp, or theirs to follow\nthe speaker's own; usually chosen automatically"
            ),
            .repeated(
                "format", "[NAME=]FORMAT", .text,
                "Format of a realtime stream: 44.1/16 (default), 44.1/24, 48/24 or\npcm, for a speaker that is known to play it; or, of raw samples\nto play: s16le, s24le, s32le or f32le, rate and channels,\nas s16le/44100/2"
            ),
            .repeated(
                "delay", "NAME=MS", .text,
                "Play later on this speaker than on the others, or, with a minus,\nearlier; up to 1000 ms"),
        ] + SecretOption.password("Password for speakers that need one") + [
            .value("clock-id", "HEX", .text, "Identity of this sender's clock, up to 16 hexadecimal digits"),
            .value(
                "clock-ports", "EVENT,GENERAL", .text,
                "UDP ports of the clock instead of 319,320;\nonly for Tutti speakers with the same ports"),
            .value("address", "IP", .text, "Use the network interface with this address"),
            .flag("no-video", "Play only the sound of films"),
            .flag("full-screen", "Show films in full screen"),
            .value(
                "subtitles", "FILE|LANGUAGE|off", .file,
                "Subtitles of a film: a file or a track of its own;\nby default, a subtitle file with the film's name"
            ),
            .flag("json", "Print events and read commands, one per line"),
            .flag("verbose", short: "v", "Print each event: formats, clocks, volumes, start times"),
        ])

    public static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let began = ProcessStart.time ?? Player.now
        let words = arguments.all("to")
        let speakerOptions = try SpeakerOptions(arguments)
        let options = try options(arguments, speakerOptions)
        try chooseOutput(arguments, speakers: words)
        let password = try SecretOption.read(arguments, of: declaration)
        let report = PlayOutcome(report(arguments))
        defer { report.end() }
        // The report already shows these warnings.
        RouteCatalogue.shared.setWarningHandler(nil)
        do {
            // Starts the clock first. If it cannot start, the speakers that need it report why.
            if !words.isEmpty { try? RouteCatalogue.shared.startClock(options) }
            let inputs = try PlayInputs.expand(arguments.positionals, format: speakerOptions.rawFormat)
            let speakers = PlaySpeakers(options: speakerOptions, report: report) { name in
                try await RouteCatalogue.shared.targets(
                    for: [name], password: password, localAddress: options.localAddress)
            }
            var targets = try await RouteCatalogue.shared.targets(
                for: words, password: password, localAddress: options.localAddress)
            let unmatched = speakerOptions.apply(to: &targets)
            try check(unmatched, arguments)
            let lookup = Task { await speakers.check(unmatched) }
            defer { lookup.cancel() }
            if !arguments.flag("json") { try await askForPasswords(of: &targets) }
            if !targets.isEmpty { RouteCatalogue.shared.select(targets, options: options) }
            // The long-form policy lets speakers buffer minutes of music.
            try AVAudioSession.sharedInstance().setCategory(.playback, mode: .default, policy: .longFormAudio)
            let status = await play(
                inputs, on: targets.map(\.named), speakers, volume: speakerOptions.volume,
                arguments: arguments, began: began, report: report)
            await RouteCatalogue.shared.deselect()
            return status
        } catch {
            report.fail(code(of: error), PlaySpeakers.words(error))
            await RouteCatalogue.shared.deselect()
            return report.status
        }
    }

    /// Asks the person at the terminal for the passwords that are missing; an empty line gives none.
    private static func askForPasswords(of targets: inout [SpeakerTarget]) async throws {
        guard SecretInput.canAsk else { return }
        var known: [String: String] = [:]
        for index in targets.indices where RouteCatalogue.shared.needsPassword(targets[index]) {
            let name = targets[index].pair ?? targets[index].name
            let asked = known[name] == nil
            let word =
                asked ? await SecretInput.line(prompt: "Password of \(Printable.text(name)): ") : known[name]
            guard let word, !word.isEmpty else { continue }
            (known[name], targets[index].password) = (word, word)
        }
    }

    /// Selects this machine's output, unless speakers are named.
    private static func chooseOutput(
        _ arguments: ParsedArguments, speakers: [String]
    ) throws(UsageError) {
        if speakers.isEmpty { return try useLocalOutput(arguments) }
        guard arguments.value("output") == nil else {
            throw UsageError(
                "--output plays on this machine and --to on speakers; use only one of them")
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

    /// Refuses options for speakers to which nothing is played, and for names that several speakers have.
    ///
    /// - Throws: Unless commands can let the speaker join later.
    private static func check(
        _ unmatched: [SpeakerOptions.Unmatched], _ arguments: ParsedArguments
    ) throws(UsageError) {
        for entry in unmatched {
            if let ambiguity = entry.ambiguity { throw UsageError("--\(entry.option): \(ambiguity)") }
        }
        guard let entry = unmatched.first, !arguments.flag("json") else { return }
        throw UsageError(
            "--\(entry.option) names \(entry.name), which does not play; add --to \(entry.name)")
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

    private static func film(_ arguments: ParsedArguments) -> PlayFilm.Options {
        var options = PlayFilm.Options()
        if arguments.flag("no-video") { options.mode = .never }
        options.isFullScreen = arguments.flag("full-screen")
        let word = arguments.value("subtitles")
        options.showsSubtitles = word != "off"
        options.subtitles = word
        return options
    }

    private static func report(_ arguments: ParsedArguments) -> any PlayReport {
        if arguments.flag("json") { return JSONPlayReport() }
        let isVerbose = arguments.flag("verbose")
        return Console.isLive
            ? TerminalPlayReport(isVerbose: isVerbose) : PlainPlayReport(isVerbose: isVerbose)
    }

    private static func play(
        _ inputs: [PlayInput], on targets: [NamedSpeaker], _ speakers: PlaySpeakers, volume: Double?,
        arguments: ParsedArguments, began: CMTime, report: PlayOutcome
    ) async -> ExitStatus {
        let (ends, end) = AsyncStream<Player.End>.makeStream()
        let player = Player(
            inputs: inputs, volume: volume, commandTime: began, report: report, film: film(arguments)
        ) {
            end.yield($0)
        }
        let monitor = PlayMonitor(speakers: targets, report: report, onAllFailed: { player.fail() })
        let remote = PlayRemote { player.perform($0) }
        let desktop = attach(remote, to: player)
        defer { withExtendedLifetime(desktop) { remote.detach() } }
        let listening = Task { await monitor.follow(RouteCatalogue.shared.events) }
        let order = RequestOrder(report: report) { request in
            if case .speaker(let request) = request { return await speakers.perform(request) }
            await withCheckedContinuation { done in player.perform(request) { done.resume() } }
        }
        let control = PlayControl(isJSON: arguments.flag("json"), report: report) { request in
            if request.concernsSpeakers { order.perform(request) } else { player.perform(request) }
        }
        // Standard input carries music, not commands.
        if !inputs.contains(where: { $0.path == PlayInput.standardInput }) { control.start() }
        let changes = Task { await order.run() }
        let signals = Task {
            for await _ in SignalStream.of(SignalStream.termination) { player.perform(PlayRequest.quit) }
        }
        player.start(at: arguments.duration("start").map { $0 / .seconds(1) } ?? 0)
        var status = ExitStatus.success
        for await result in ends {
            status = result == .finished ? .success : report.status
            break
        }
        control.stop()
        changes.cancel()
        listening.cancel()
        signals.cancel()
        return status
    }

    /// Attaches the buttons of the speakers, and the desktop's media keys where there is a desktop.
    private static func attach(_ remote: PlayRemote, to player: Player) -> MPNowPlayingSession? {
        remote.attach(to: .shared())
        let desktop = MPNowPlayingSession.tuttiDesktop([player.player])
        desktop?.automaticallyPublishesNowPlayingInfo = true
        if let desktop { remote.attach(to: desktop.remoteCommandCenter) }
        return desktop
    }
}
