import AirPlaySender
import Playback
import TuttiCommandLineInterface
import TuttiPlayCommand
import TuttiSystemIO

/// The command `tutti doctor SPEAKER`: takes the steps of a play, and says why a speaker is not heard.
enum DoctorCommand: Command {
    static let declaration = CommandDeclaration(
        name: "doctor",
        summary: "Find out why a speaker is not heard",
        examples: [
            CommandExample("tutti doctor Kitchen", "step by step, with a tone at the end"),
            CommandExample("tutti doctor Kitchen --json", "for a report"),
        ],
        discussion: """
            Takes the steps of a play one after the other, with the time of each: the search for the name, the
            addresses, the port, the description, the pairing, the session, the connection for the speaker's
            buttons, the stream, the clock in both directions, and the start. At its end it plays a soft tone
            of one second, at the speaker's own volume, and says so beforehand. The last line names the cause,
            if there is one, and what to do.

            With --json each step is a line on standard output, and the diagnosis is the last one. The exit
            status is 0 if nothing speaks against the speaker being heard.
            """,
        positionals: [PairingTarget.positional],
        options: [
            .flag("silent", "Send silence instead of the tone"),
            .flag(
                "ask",
                "Ask whether the tone was heard, and read the answer, yes or no;\nthe default on a terminal"),
            .flag("take-over", "Take the speaker from another sender that plays on it"),
        ] + SecretOption.password("Password of the speaker") + [
            .value(
                "stream", "KIND", .choice(["buffered", "realtime", "airplay1"]),
                "Kind of session; usually chosen automatically"),
            .value(
                "clock", "KIND", .choice(["ptp", "ntp", "theirs"]), "Clock; usually chosen automatically"),
            PairingTarget.addressOption,
            .value(
                "clock-ports", "EVENT,GENERAL", .text,
                "UDP ports of the clock instead of 319,320;\nonly for Tutti speakers with the same ports"),
            .flag("json", "Print one JSON object for each step"),
        ])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        var examination = SpeakerExamination()
        examination.isSilent = arguments.flag("silent")
        examination.takesOver = arguments.flag("take-over")
        examination.password = try SecretOption.read(arguments, of: declaration)
        examination.override.stream = arguments.value("stream").flatMap(SessionChoice.Stream.init)
        examination.override.clock = arguments.value("clock").flatMap(SessionChoice.Clock.init)
        examination.options.localAddress = try PairingTarget.localAddress(arguments)
        examination.options.clockPorts = try ClockPorts.parse(arguments.value("clock-ports"))
        let report = DoctorReport(isJSON: arguments.flag("json"))
        let asks =
            arguments.flag("ask")
            || !report.isJSON && Terminal.isTTY(0) && Terminal.isTTY(StandardStream.output.rawValue)
        examination.onStage = { report.show($1, of: $0.name) }
        examination.onTone = { report.announceTone(of: $0.name) }
        if asks {
            examination.wasHeard = { target in
                report.ask(about: target.name)
                return DoctorReport.answer(await StandardInput.line())
            }
        }
        let word = arguments.positional(0) ?? ""
        let results = await examination.run(word, in: RouteCatalogue.shared)
        await RouteCatalogue.shared.deselect()
        for result in results { report.show(result.diagnosis, of: result.speaker) }
        let trouble = results.first { !$0.diagnosis.isGood }
        return trouble.map { ExitStatus(failureCode: $0.diagnosis.code) } ?? .success
    }
}
