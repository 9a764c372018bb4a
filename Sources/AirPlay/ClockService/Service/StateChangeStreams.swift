import Synchronization
import TuttiSystemIO

/// A broadcast of state changes to any number of listeners.
final class StateChangeStreams: Sendable {
    /// The number of changes buffered for a slow reader.
    private static let bufferLimit = 64

    private struct Listener {
        let peer: IPAddress?
        let continuation: AsyncStream<PeerStateChange>.Continuation
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var nextID = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    func stream(of peer: IPAddress?) -> AsyncStream<PeerStateChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PeerStateChange.self, bufferingPolicy: .bufferingNewest(Self.bufferLimit))
        let id: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.nextID += 1
            state.listeners[state.nextID] = Listener(peer: peer, continuation: continuation)
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    func send(_ change: PeerStateChange) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners where listener.peer == nil || listener.peer == change.peer {
            listener.continuation.yield(change)
        }
    }

    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.continuation.finish() }
    }
}
