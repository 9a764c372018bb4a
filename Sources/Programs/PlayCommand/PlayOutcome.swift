import Synchronization
import TuttiCommandLineInterface

/// A report that passes events on, and remembers the last error for the exit status.
final class PlayOutcome: PlayReport {
    private let report: any PlayReport
    private let lastCode = Mutex<String?>(nil)

    init(_ report: any PlayReport) { self.report = report }

    func show(_ event: PlayEvent) {
        if case .error(let code, _, _) = event { lastCode.withLock { $0 = code } }
        report.show(event)
    }

    func end() { report.end() }

    /// The status of a play that failed.
    var status: ExitStatus { lastCode.withLock { $0.map(ExitStatus.init(failureCode:)) } ?? .failure }
}

extension ExitStatus {
    /// The status for the code of an error event, of a diagnosis, or of a `SpeakerFailure`.
    public init(failureCode code: String) {
        self =
            switch code {
            case "unplayable": .badMedia
            case "input", "unknown-speaker", "not-paired": .notFound
            case "unreachable", "silent", "lost", "closed", "clock", "no-output", "render", "not-heard":
                .unavailable
            case "busy", "clock-ports": .busy
            case "refused", "unsupported", "not-a-speaker": .refused
            case "password-needed", "password-wrong", "pin-needed", "pin-wrong", "forbidden": .noAccess
            default: .failure
            }
    }
}
