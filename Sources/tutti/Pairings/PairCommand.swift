import AirPlaySender
import CommandLineInterface
import Foundation
import Playback

/// The command `tutti pair SPEAKER`: pairs with a speaker once, with the PIN that it shows.
enum PairCommand: Command {
    static let declaration = CommandDeclaration(
        name: "pair",
        summary: "Pair with a speaker that shows a PIN; needed once",
        discussion: """
            tutti pair "Living Room"

            The speaker shows a PIN; type it here. From then on 'tutti play' is let in without it. A speaker
            with a password can be paired, too: type the password. The pairing is stored in
            ~/.local/share/tutti/pairings.json (or below XDG_DATA_HOME). Wrong PINs make a speaker wait
            longer and longer before it takes the next one.

            With --json, an event pin-needed asks for the PIN, which is then read as a line of standard input.
            """,
        positionals: [PairingTarget.positional],
        options: [
            .value(
                "pin", "PIN", .text, "The PIN, if it is known already; other users can see it while this runs"
            ),
            PairingTarget.addressOption,
            .flag("json", "Print events as JSON objects, and read the PIN from standard input"),
        ])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let isJSON = arguments.flag("json")
        let given = arguments.value("pin")
        guard given != nil || isJSON || Terminal.isTTY(0) else {
            throw UsageError("standard input is no terminal: give the PIN with --pin, or use --json")
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
                with: target, senderName: ProcessInfo.processInfo.hostName
            ) {
                if let given { return given }
                report.askForPIN(of: target.name)
                return await StandardInput.line()
            }
            report.paired(speaker)
            return .success
        } catch {
            return report.failure(error, of: target.name)
        }
    }
}
