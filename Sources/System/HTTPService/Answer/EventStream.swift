import Synchronization

/// An answer that stays open: events to one client. Any thread; nothing here waits.
///
/// Make it in a handler and return it in ``HTTPResponse/init(events:)``. Events sent before the answer has
/// reached the connection are kept for it. A client that does not read is disconnected once its backlog
/// exceeds ``HTTPLimits/eventBacklog``; it comes back and resumes. What waits shares the bytes of the event with
/// all other streams; only the next ``HTTPLimits/eventWrite`` bytes are copied for the client.
package final class EventStream: Sendable {
    private struct State {
        var waiting: [[UInt8]] = []
        var waitingBytes = 0
        var connection: (inbox: LoopInbox, id: ConnectionID)?
        /// The server's thread knows that events are waiting.
        var isAnnounced = false
        /// The program ended the stream.
        var isEnded = false
        /// The client is gone, or the stream was never opened.
        var isClosed = false
        var onClose: (@Sendable () -> Void)?
    }

    /// The events that the server's thread takes.
    struct Output {
        var chunks: ArraySlice<[UInt8]>
        /// The program ended the stream, and this is the last of it.
        var isEnded: Bool
        var isOverfull: Bool
    }

    private let state: Mutex<State>
    private let backlog: Int

    /// Makes a stream.
    ///
    /// - Parameters:
    ///   - backlog: The most bytes that wait for the client.
    ///   - onClose: Called once, on any thread, when the client is gone or the stream has ended. Must not wait.
    package init(backlog: Int = HTTPLimits.eventBacklog, onClose: @escaping @Sendable () -> Void = {}) {
        self.backlog = backlog
        state = Mutex(State(onClose: onClose))
    }

    /// Sends an event. Dropped if the client is gone.
    package func send(_ event: ServerSentEvent) {
        announce { state in
            guard !state.isEnded, !state.isClosed, state.waitingBytes <= backlog else { return false }
            state.waiting.append(event.bytes)
            state.waitingBytes += event.bytes.count
            return true
        }
    }

    /// Whether the client is gone, or the stream has ended.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Ends the stream after the events sent so far. Idempotent.
    package func end() {
        announce { state in
            defer { state.isEnded = true }
            return !state.isEnded
        }
    }

    private func announce(_ change: (inout State) -> Bool) {
        let connection = state.withLock { state -> (inbox: LoopInbox, id: ConnectionID)? in
            guard change(&state), !state.isAnnounced, let connection = state.connection else { return nil }
            state.isAnnounced = true
            return connection
        }
        if let connection { connection.inbox.submit(.writeEvents(connection.id)) }
    }
}

// The side of the server's thread.
extension EventStream {
    func attach(_ inbox: LoopInbox, _ id: ConnectionID) {
        state.withLock { $0.connection = (inbox, id) }
    }

    /// Takes the first waiting events: as many as fit, and at least one if `bytes` is positive.
    func take(upTo bytes: Int) -> Output {
        state.withLock { state in
            let isOverfull = state.waitingBytes > backlog
            var (count, taken) = (0, 0)
            while count < state.waiting.count, taken < bytes {
                let next = state.waiting[count].count
                guard count == 0 || taken + next <= bytes else { break }
                (count, taken) = (count + 1, taken + next)
            }
            let chunks = state.waiting[..<count]
            state.waiting = Array(state.waiting[count...])
            (state.waitingBytes, state.isAnnounced) = (state.waitingBytes - taken, false)
            return Output(
                chunks: chunks, isEnded: state.isEnded && state.waiting.isEmpty, isOverfull: isOverfull)
        }
    }

    /// The bytes of the events that the thread of the server has not taken.
    var waitingBytes: Int { state.withLock { $0.waitingBytes } }

    /// Notifies the program that the stream is over. Idempotent.
    func close() {
        let onClose = state.withLock { state -> (@Sendable () -> Void)? in
            (state.isClosed, state.waiting, state.waitingBytes) = (true, [], 0)
            state.connection = nil
            return state.onClose.take()
        }
        onClose?()
    }
}
