import Synchronization
import TuttiSystemIO

/// A client of an MQTT broker, which stays connected: it calls again after a lost connection, at first
/// after a second, later every minute.
///
/// Any thread; nothing waits for the broker. Sessions are clean: with each connection the program publishes
/// its states again.
package final class MQTTClient: Sendable {
    private let configuration: MQTTConfiguration
    let mailbox: ClientMailbox
    private let onEvent: @Sendable (MQTTEvent) -> Void
    private let jitter: @Sendable () -> Double
    private let pause: @Sendable (Duration) async -> Void
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Makes a client that is not connected yet.
    ///
    /// - Parameters:
    ///   - jitter: Returns random numbers, 0 ..< 1, that spread the attempts of many clients.
    ///   - onEvent: Receives the events in their order, one at a time, from any thread. Must return soon.
    /// - Throws: ``MQTTFailure`` if the system has no more descriptors.
    package convenience init(
        _ configuration: MQTTConfiguration,
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        onEvent: @escaping @Sendable (MQTTEvent) -> Void
    ) throws(MQTTFailure) {
        try self.init(
            configuration, jitter: jitter,
            pause: { delay in
                // Ends early only by the client's stop.
                await Task.pause(for: delay)
            }, onEvent: onEvent)
    }

    init(
        _ configuration: MQTTConfiguration, jitter: @escaping @Sendable () -> Double,
        pause: @escaping @Sendable (Duration) async -> Void, onEvent: @escaping @Sendable (MQTTEvent) -> Void
    ) throws(MQTTFailure) {
        guard let pipe = WakePipe() else {
            throw MQTTFailure(.settings, "MQTT cannot work: too many files are open.")
        }
        (self.configuration, self.onEvent) = (configuration, onEvent)
        (self.jitter, self.pause) = (jitter, pause)
        mailbox = ClientMailbox(configuration.limits, pipe)
    }

    deinit {
        mailbox.stop([])
        task.withLock { $0 }?.cancel()
    }

    /// Begins to connect; returns at once.
    package func start() {
        task.withLock { task in
            guard task == nil else { return }
            let caller = Caller(
                configuration: configuration, mailbox: mailbox, jitter: jitter, pause: pause, onEvent: onEvent
            )
            task = Task { await caller.run() }
        }
    }

    /// Publishes states: of each topic the latest one is sent, also if there is no connection yet.
    ///
    /// - Returns: `false` if one was dropped because of a limit.
    @discardableResult
    package func publish(states: [MQTTMessage]) -> Bool { mailbox.publish(states, areStates: true) }

    /// Publishes an event: each one is sent, or dropped without a connection.
    ///
    /// - Returns: `false` if it was dropped.
    @discardableResult
    package func publish(event: MQTTMessage) -> Bool { mailbox.publish([event], areStates: false) }

    /// Forgets the messages that wait to be sent, such as states of an earlier connection.
    package func removeWaiting() { mailbox.removeWaiting() }

    /// Ends subscriptions of this connection.
    package func unsubscribe(_ filters: [String]) { mailbox.unsubscribe(filters) }

    /// Sends these last states instead of those that wait, and closes the connection; takes less than a
    /// second. Without last states it sends those that wait.
    ///
    /// The broker publishes the will only if it does not take them in half a second.
    package func stop(last: [MQTTMessage] = []) async {
        let isConnected = mailbox.stop(last)
        guard let task = task.withLock({ $0 }) else { return }
        // An attempt, or the time before the next one, ends at once.
        if !isConnected { task.cancel() }
        await Self.first(task, of: Self.stopTime)
        task.cancel()
    }

    private static let stopTime = Duration.milliseconds(800)

    /// Returns when a task has ended, or after a time: the system's resolver may keep its thread for longer.
    private static func first(_ task: Task<Void, Never>, of limit: Duration) async {
        let (ends, emit) = AsyncStream<Void>.makeStream()
        let timer = Task {
            await Task.pause(for: limit)
            emit.finish()
        }
        Task {
            await task.value
            emit.finish()
        }
        for await _ in ends {}
        timer.cancel()
    }
}
