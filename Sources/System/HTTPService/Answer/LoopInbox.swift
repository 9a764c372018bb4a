import CTuttiEvent
import Synchronization

/// The identity of a connection, never reused within a server.
struct ConnectionID: Hashable, Sendable { let number: UInt64 }

/// The identity of a request: an answer that comes too late finds another one, or none.
struct ExchangeID: Hashable, Sendable {
    let connection: ConnectionID
    let number: UInt64
}

/// The commands on their way to the thread of the server. Any thread.
final class LoopInbox: Sendable {
    enum Command: Sendable {
        /// Sends the handler's answer.
        case answer(ExchangeID, HTTPResponse)
        /// Takes what waits in the connection's stream of events.
        case writeEvents(ConnectionID)
        /// Ends the server.
        case stop
    }

    private struct State {
        var commands: [Command] = []
        var waker: LoopWaker?
        var isClosed = false
    }

    private let state = Mutex(State())

    func submit(_ command: Command) {
        let isLate = state.withLock { state in
            if state.isClosed { return true }
            state.commands.append(command)
            if state.commands.count == 1 { state.waker?.wake() }
            return false
        }
        if isLate { command.discard() }
    }

    func take() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Wakes the loop by this event from now on, at once if commands wait.
    func open(_ waker: LoopWaker) {
        state.withLock { state in
            state.waker = waker
            if !state.commands.isEmpty { waker.wake() }
        }
    }

    /// Accepts no more commands; afterwards the waker's event is not used.
    func close() {
        let rest = state.withLock { state in
            (state.isClosed, state.waker) = (true, nil)
            defer { state.commands = [] }
            return state.commands
        }
        for command in rest { command.discard() }
    }
}

extension LoopInbox.Command {
    /// Ends what the command holds when no connection takes it.
    func discard() {
        if case .answer(_, let response) = self, case .events(let stream) = response.body { stream.close() }
    }
}

/// The event that ends the wait of the loop.
struct LoopWaker: @unchecked Sendable {
    // Safe to share: libevent locks the base since `evthread_use_pthreads`, so any thread may activate the
    // event; the inbox's lock orders the last call before the thread of the server frees it.
    private let event: OpaquePointer

    init(_ event: OpaquePointer) { self.event = event }

    func wake() { event_active(event, 0, 0) }
}
