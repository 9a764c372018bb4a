import AirPlaySender
import TuttiTestSupport

@testable import TuttiPlayCommand

/// A report that keeps warnings and errors as `kind code`, and `kind code: message` of those that name a speaker.
final class RecordedReport: PlayReport {
    let lines = Recorder<[String]>([])

    func show(_ event: PlayEvent) {
        switch event {
        case .warning(let code, let speaker, let message): note("warning \(code)", speaker, message)
        case .error(let code, let speaker, let message): note("error \(code)", speaker, message)
        default: break
        }
    }

    func end() {}

    private func note(_ kind: String, _ speaker: NamedSpeaker?, _ message: String) {
        lines.update { $0.append(speaker == nil ? kind : "\(kind): \(message)") }
    }
}
