import AirPlayMessages
import AirPlaySender
import Foundation
import Playback
import TuttiCommandLineInterface

/// The command `tutti unpair SPEAKER`: ends a pairing at the speaker and here.
enum UnpairCommand: Command {
    static let declaration = CommandDeclaration(
        name: "unpair",
        summary: "End the pairing with a speaker",
        examples: [
            CommandExample("tutti unpair \"Living Room\"", "until the next 'tutti pair'")
        ],
        discussion: """
            Has the speaker forget this sender, and forgets the speaker here. A speaker that is switched off
            cannot be told; the pairing is erased here all the same.
            """,
        positionals: [
            PositionalDeclaration(
                name: "SPEAKER", help: "A name or an id of 'tutti paired', or ADDRESS[:PORT]")
        ],
        options: [PairingTarget.addressOption, .flag("json", "Print events as JSON objects")])

    private static let infoLimit = Duration.seconds(5)

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        _ = try PairingTarget.localAddress(arguments)
        let report = PairingReport(command: "unpair", isJSON: arguments.flag("json"))
        let word = arguments.positional(0) ?? ""
        let paired = SpeakerPairings.shared.all
        let known = paired.filter { $0.matches(word) }
        guard known.count < 2 else {
            return report.problem(
                "ambiguous", word, "\(known.count) paired speakers have this name: use the id")
        }
        // A speaker that is not there is unpaired on this machine alone.
        var target = try? await PairingTarget.find(arguments, named: known.first?.name)
        var speaker = known.first
        if speaker == nil, let address = target?.addresses.first,
            let info = try? await InfoRequest.send(to: address, limit: infoLimit)
        {
            speaker = paired.first { $0.id == ReceiverDescription(info: info).deviceID }
        }
        guard let speaker else {
            return report.problem(
                "not-paired", word, "no such speaker is paired; 'tutti paired' lists the paired speakers")
        }
        // The name in messages.
        target?.name = speaker.name
        do {
            let reason = try await SpeakerPairings.shared.unpair(
                speaker, at: target, senderName: ProcessInfo.processInfo.hostName)
            report.unpaired(speaker, notTold: reason)
            return .success
        } catch {
            return report.failure(error, of: speaker.name)
        }
    }
}

extension PairedSpeaker {
    /// Whether a typed word names this speaker.
    fileprivate func matches(_ word: String) -> Bool {
        id == word.lowercased() || name.compare(word, options: .caseInsensitive) == .orderedSame
    }
}
