import Synchronization
import TuttiSystemIO

/// A weak registry of all sessions.
final class NowPlayingSessions: Sendable {
    static let shared = NowPlayingSessions()

    private let sessions = Mutex<[WeakReference<MPNowPlayingSession>]>([])

    func add(_ session: MPNowPlayingSession) {
        sessions.withLock { sessions in
            sessions.removeAll { $0.object == nil }
            sessions.append(WeakReference(session))
        }
    }

    /// Whether a session other than `session`, of the same hub, is active and playing.
    func isOtherPlaying(than session: MPNowPlayingSession) -> Bool {
        let others = sessions.withLock { $0.compactMap(\.object) }
        return others.contains { $0 !== session && $0.hub === session.hub && $0.isActive && $0.isPlaying }
    }
}
