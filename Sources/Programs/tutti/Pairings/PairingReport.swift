import AirPlayMessages
import AirPlaySender
import Playback
import TuttiCommandLineInterface
import TuttiPlayCommand
import TuttiSystemIO

/// The output of the commands about pairings: sentences, or a JSON object per event.
struct PairingReport: Sendable {
    /// The name of the subcommand.
    let command: String
    let isJSON: Bool

    /// Asks for the secret. A terminal does not show an answer that may be a password.
    ///
    /// - Returns: The answer; `nil` at the end of standard input.
    func ask(for need: ReceiverDescription.PairingNeed, of speaker: String) async -> String? {
        guard !isJSON else {
            StandardStream.output.line(Self.event("pin-needed", speaker).text)
            return await StandardInput.line()
        }
        let prompt = Self.prompt(for: need, of: speaker)
        guard need == .pin else { return await SecretInput.line(prompt: prompt) }
        // The speaker itself shows the PIN.
        StandardStream.error.write(prompt)
        return await StandardInput.line()
    }

    /// Returns the question for what the speaker says it needs.
    static func prompt(for need: ReceiverDescription.PairingNeed, of speaker: String) -> String {
        let name = Printable.text(speaker)
        return switch need {
        case .pin: "PIN that \(name) shows: "
        case .password: "Password of \(name): "
        case .transient, .notNeeded: "PIN or password of \(name): "
        }
    }

    func paired(_ speaker: PairedSpeaker) {
        if isJSON {
            StandardStream.output.line(Self.event("paired", speaker.name, id: speaker.id).text)
        } else {
            StandardStream.output.line("Paired with \(Printable.text(speaker.name)).")
        }
    }

    /// - Parameter reason: The reason why the speaker still knows this sender; `nil` if it does not.
    func unpaired(_ speaker: PairedSpeaker, notTold reason: SpeakerFailure?) {
        if isJSON {
            let told = JSONLine([
                "event": "unpaired", "speaker": .string(speaker.name), "id": .string(speaker.id),
                "told": .bool(reason == nil), "message": .optional(reason?.message),
            ])
            StandardStream.output.line(told.text)
        } else {
            StandardStream.output.line("\(Printable.text(speaker.name)) is no longer paired.")
            guard let reason else { return }
            Console.warning(
                "tutti \(command)",
                "the speaker could not be notified, and still knows this sender: \(reason.message)"
            )
        }
    }

    func failure(_ error: any Error, of speaker: String? = nil) -> ExitStatus {
        let code =
            switch error {
            case let failure as SpeakerFailure: failure.code.rawValue
            case is SpeakerLookupError: "unknown-speaker"
            default: "failed"
            }
        return problem(code, speaker, "\(error)")
    }

    func problem(_ code: String, _ speaker: String?, _ message: String) -> ExitStatus {
        if isJSON {
            let line = JSONLine([
                "event": "error", "code": .string(code), "speaker": speaker.map { .string($0) } ?? .null,
                "message": .string(message),
            ])
            StandardStream.output.line(line.text)
        } else {
            Console.error("tutti \(command)", message)
        }
        return ExitStatus(failureCode: code)
    }

    private static func event(_ event: String, _ speaker: String, id: String? = nil) -> JSONLine {
        JSONLine(["event": .string(event), "speaker": .string(speaker), "id": id.map { .string($0) }])
    }
}
