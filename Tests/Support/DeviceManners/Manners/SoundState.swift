import Synchronization

/// The state of a stand-in's sound that its control connection and its stream share. Any thread.
final class SoundState: Sendable {
    private struct State {
        var silencedBy: Set<Manner> = []
        var hasBegun = false
    }

    private let state = Mutex(State())

    /// Begins a session, silenced by these manners.
    func beginSession(silencedBy manners: [Manner]) {
        state.withLock { $0 = State(silencedBy: Set(manners)) }
    }

    func silence(_ manner: Manner) { state.withLock { _ = $0.silencedBy.insert(manner) } }
    func unsilence(_ manner: Manner) { state.withLock { _ = $0.silencedBy.remove(manner) } }

    /// Notes that a buffered stream has a line to play along, or a realtime one its first packet.
    func begin() { state.withLock { $0.hasBegun = true } }

    /// Whether the session has begun to play.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// A manner that keeps the sound silent; `nil` if it is heard.
    var silencing: Manner? { state.withLock { $0.silencedBy.min { $0.rawValue < $1.rawValue } } }
}
