import Synchronization

/// The requests on their way to the connection's thread. Any thread; nothing waits.
final class ClientMailbox: Sendable {
    private struct State {
        var outbox: Outbox
        var unsubscriptions: [String] = []
        var isConnected = false
        var isStopped = false
    }

    let wakePipe: WakePipe
    private let state: Mutex<State>

    init(_ limits: MQTTConfiguration.Limits, _ wakePipe: WakePipe) {
        state = Mutex(State(outbox: Outbox(limits)))
        self.wakePipe = wakePipe
    }

    /// Adds a message. An event is dropped while there is no connection.
    ///
    /// - Returns: `false` if it was dropped.
    @discardableResult
    func publish(_ messages: [MQTTMessage], areStates: Bool) -> Bool {
        guard !messages.isEmpty else { return true }
        let (isWhole, wakes) = state.withLock { state in
            guard areStates || state.isConnected, !state.isStopped else { return (false, false) }
            var isWhole = true
            for message in messages where !state.outbox.add(message, isState: areStates) { isWhole = false }
            return (isWhole, state.isConnected)
        }
        if wakes { wakePipe.wake() }
        return isWhole
    }

    func removeWaiting() { state.withLock { $0.outbox.removeAll() } }

    func unsubscribe(_ filters: [String]) {
        state.withLock { state in
            if state.isConnected { state.unsubscriptions += filters }
        }
        wakePipe.wake()
    }

    /// Ends the client, after these messages, which take the place of those that wait; without any, after
    /// those that wait.
    ///
    /// - Returns: Whether there is a connection, which ends on its own.
    @discardableResult
    func stop(_ last: [MQTTMessage]) -> Bool {
        let isConnected = state.withLock { state in
            // A goodbye behind megabytes would come too late, and a full outbox would drop it.
            if !last.isEmpty { state.outbox.removeAll() }
            for message in last { state.outbox.add(message, isState: true) }
            state.isStopped = true
            return state.isConnected
        }
        wakePipe.wake()
        return isConnected
    }

    // MARK: The connection's thread

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func takeMessage() -> MQTTMessage? { state.withLock { $0.outbox.take() } }

    func takeUnsubscriptions() -> [String] {
        state.withLock { state in
            guard !state.unsubscriptions.isEmpty else { return [] }
            defer { state.unsubscriptions = [] }
            return state.unsubscriptions
        }
    }

    /// Notes that a connection begins or ends. What happened without one is not told later.
    func setConnected(_ isConnected: Bool) {
        state.withLock { state in
            state.isConnected = isConnected
            if !isConnected {
                state.outbox.removeEvents()
                state.unsubscriptions = []
            }
        }
    }
}
