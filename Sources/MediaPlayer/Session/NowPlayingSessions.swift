import Synchronization

/// A weak registry of all sessions.
final class NowPlayingSessions: Sendable {
    static let shared = NowPlayingSessions()

    private struct Weak { weak var session: MPNowPlayingSession? }

    private let sessions = Mutex<[Weak]>([])

    func add(_ session: MPNowPlayingSession) {
        sessions.withLock { sessions in
            sessions.removeAll { $0.session == nil }
            sessions.append(Weak(session: session))
        }
    }

    /// Whether a session other than `session` is active and playing.
    func isOtherPlaying(than session: MPNowPlayingSession) -> Bool {
        let others = sessions.withLock { $0.compactMap(\.session) }
        return others.contains { $0 !== session && $0.isActive && $0.isPlaying }
    }
}
