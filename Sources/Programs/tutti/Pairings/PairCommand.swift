import AirPlaySender
import Foundation
import Playback
import TuttiCommandLineInterface

/// The command `tutti pair SPEAKER`: pairs with a speaker once, with the PIN that it shows.
enum PairCommand: Command {
    static let declaration = CommandDeclaration(
        name: "pair",
        summary: "Pair with a speaker that shows a PIN; needed once",
        examples: [
            CommandExample("tutti pair \"Living Room\"", "asks for the PIN that the speaker shows")
        ],
        discussion: """
            tutti pair "Living Room"

            The speaker shows a PIN; type it here. From then on 'tutti play' is let in without it. A speaker
            with a password can be paired, too: type the password, which is not shown. The pairing is stored
            in ~/.local/share/tutti/pairings.json (or below XDG_DATA_HOME). Wrong PINs make a speaker wait
            longer and longer before it takes the next one.

            With --json, an event pin-needed asks for the PIN or the password, which is then read as a line of
            standard input.
            """,
        positionals: [PairingTarget.positional],
        options: [
            .value(
                "pin", "PIN", .text,
                "The PIN, if you know it already; other users can see it\nwhile the command runs"
            ),
            SecretOption.passwordFile("Password of a speaker that has one, instead of a PIN"),
            PairingTarget.addressOption,
            .flag("json", "Print events as JSON objects, and read the PIN from standard input"),
        ])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let isJSON = arguments.flag("json")
        _ = try PairingTarget.localAddress(arguments)
        let given = try secret(arguments)
        guard given != nil || isJSON || Terminal.isTTY(0) else {
            throw UsageError(
                "standard input is not a terminal: give the PIN with --pin or the password with --password-file,"
                    + " or use --json")
        }
        let report = PairingReport(command: "pair", isJSON: isJSON)
        let target: SpeakerTarget
        do {
            target = try await PairingTarget.find(arguments)
        } catch {
            return report.failure(error)
        }
        do {
            let speaker = try await SpeakerPairings.shared.pair(
                with: target, senderName: ProcessInfo.processInfo.hostName,
                secret: { need in
                    if let given { return given }
                    return await report.ask(for: need, of: target.name)
                })
            report.paired(speaker)
            return .success
        } catch {
            return report.failure(error, of: target.name)
        }
    }

    /// Returns the PIN or the password of the command line; `nil` without one.
    private static func secret(_ arguments: ParsedArguments) throws(UsageError) -> String? {
        guard let pin = arguments.value("pin") else {
            return try SecretOption.read(arguments, of: declaration)
        }
        guard arguments.value("password-file") == nil else {
            throw UsageError("--pin and --password-file exclude each other")
        }
        return pin
    }
}
