import Playback
import TuttiTestSupport

/// A surface that records its notifications.
final class RecordingSurface: NowPlayingSurface {
    enum Update: Equatable, Sendable {
        case title(String?)
        case commands(Set<RemoteCommand.Kind>)
    }

    let updates = Recorder<[Update]>([])
    private let gate: @Sendable () -> Void

    /// - Parameter gate: Runs in every call, and may block it.
    init(gate: @escaping @Sendable () -> Void = {}) { self.gate = gate }

    func show(_ snapshot: NowPlayingSnapshot) {
        gate()
        updates.update { $0.append(.title(snapshot.title)) }
    }

    func enable(_ commands: RemoteCommandSet) {
        gate()
        updates.update { $0.append(.commands(commands.enabled)) }
    }
}

/// A receiver that answers at once and records its commands.
final class RecordingReceiver: RemoteCommandReceiver {
    let asked = Recorder<[RemoteCommand]>([])
    private let answer: @Sendable (RemoteCommand) -> RemoteCommandOutcome

    init(_ answer: @escaping @Sendable (RemoteCommand) -> RemoteCommandOutcome) { self.answer = answer }

    func perform(
        _ command: RemoteCommand, from origin: RemoteCommandOrigin,
        completion: @escaping @Sendable (RemoteCommandOutcome) -> Void
    ) {
        asked.update { $0.append(command) }
        completion(answer(command))
        // The second answer must be ignored.
        completion(.failed)
    }
}
