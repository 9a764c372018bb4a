import Glibc
import Synchronization
import TuttiAudioOutput
import TuttiMediaTime
import TuttiSystemIO

/// An output in PulseAudio: a `module-tunnel-sink` whose remote server is this program.
///
/// PulseAudio removes the module, and with it the output, when the connection ends, however this program ends.
final class TunnelSink: SinkBackend {
    /// Time within which PulseAudio connects to the socket after it loaded the module; it does so at once.
    private static let connectTimeout = Duration.seconds(5)

    private struct State {
        var conversation: TunnelConversation
        var rendezvous: RendezvousSocket?
        var connection: LocalStreamConnection?
        var isOver = false
    }

    private let queue: SerialQueue
    private let onReport: @Sendable (SinkReport) -> Void
    private let state: Mutex<State>
    private let wakeUp: QueueWakeUp

    /// Makes the output. Blocks for two seconds at most; not on the queue.
    ///
    /// - Parameters:
    ///   - server: An address like in `PULSE_SERVER`; `nil` for the user's own server.
    ///   - queue: The sink's serial queue.
    static func open(
        _ configuration: SystemSinkConfiguration, latency: Duration, server: String?, queue: SerialQueue,
        onReport: @escaping @Sendable (SinkReport) -> Void
    ) throws(SinkFailure) -> TunnelSink {
        let sink = TunnelSink(configuration, latency: latency, queue: queue, onReport: onReport)
        do {
            let arguments = ModuleArguments(
                name: configuration.name, title: configuration.title, icon: configuration.icon,
                hertz: configuration.sampleRate.hertz, socket: try sink.listen())
            let module = try PulseModule.load("module-tunnel-sink", arguments: arguments.text, into: server)
            queue.async {
                sink.change { $0.noteVolume(levels: module.volumes, isMuted: module.isMuted) }
            }
            return sink
        } catch {
            queue.async { sink.close() }
            throw SinkFailure(text: "\(error)")
        }
    }

    private init(
        _ configuration: SystemSinkConfiguration, latency: Duration, queue: SerialQueue,
        onReport: @escaping @Sendable (SinkReport) -> Void
    ) {
        self.queue = queue
        self.onReport = onReport
        wakeUp = QueueWakeUp(on: queue)
        state = Mutex(
            State(
                conversation: TunnelConversation(
                    sampleRate: configuration.sampleRate, latency: latency)))
    }

    private func listen() throws -> String {
        let rendezvous = try RendezvousSocket(on: queue) { [weak self] in self?.begin($0) }
        state.withLock { $0.rendezvous = rendezvous }
        wakeUp.set(after: Self.connectTimeout) { [weak self] in
            self?.end("PulseAudio did not connect to the output that it made.")
        }
        return rendezvous.path
    }

    func setLatency(_ latency: Duration) { change { $0.setLatency(latency) } }

    func setVolume(_ volume: MixerVolume) { change { $0.setVolume(volume) } }

    func close() { end(nil) }

    // MARK: On the queue

    private func begin(_ connection: LocalStreamConnection) {
        let isWanted = state.withLock { state in
            guard !state.isOver, state.connection == nil else { return false }
            state.connection = connection
            state.rendezvous = nil
            return true
        }
        guard isWanted else { return }
        wakeUp.cancel()
        connection.start(
            onBytes: { [weak self] bytes in self?.receive(bytes) },
            onClose: { [weak self] in self?.end("PulseAudio ended, or the output was removed there.") })
    }

    private func receive(_ bytes: [UInt8]) {
        var now = timeval()
        gettimeofday(&now, nil)
        let timeOfDay = NativeTime(
            seconds: UInt32(truncatingIfNeeded: now.tv_sec),
            microseconds: UInt32(truncatingIfNeeded: now.tv_usec))
        let isTunnel = change { conversation in
            let now = SystemClock.now
            // Only bytes that no tunnel sends are an error.
            guard (try? conversation.receive(bytes, at: now, timeOfDay: timeOfDay)) != nil else {
                return false
            }
            conversation.wake(at: now)
            return true
        }
        if isTunnel == false { end("A program that is not PulseAudio's tunnel used the output's socket.") }
    }

    /// Changes the conversation, then sends its output and reports its events; returns `nil` after the end.
    @discardableResult
    private func change<Result>(_ body: (inout TunnelConversation) -> Result) -> Result? {
        queue.assertCurrent()
        let change = state.withLock { state in
            state.isOver
                ? nil
                : (
                    body(&state.conversation), state.conversation.takeEvents(),
                    state.conversation.takeOutput(), state.connection
                )
        }
        guard let (result, events, output, connection) = change else { return nil }
        if !output.isEmpty { connection?.send(output) }
        for event in events {
            switch event {
            case .opened: onReport(.opened)
            case .sound(let block, let heardAt): onReport(.sound(block, heardAt: heardAt))
            case .idle: onReport(.idle)
            case .volume(let volume): onReport(.volume(volume))
            }
        }
        if connection != nil { scheduleWake() }
        return result
    }

    private func scheduleWake() {
        let now = SystemClock.now
        guard let time = state.withLock({ $0.isOver ? nil : $0.conversation.nextWake(after: now) }) else {
            return wakeUp.cancel()
        }
        wakeUp.set(at: time) { [weak self] in self?.change { $0.wake(at: SystemClock.now) } }
    }

    private func end(_ reason: String?) {
        queue.assertCurrent()
        let old = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            state.isOver = true
            return state
        }
        guard let old else { return }
        wakeUp.cancel()
        old.rendezvous?.close()
        old.connection?.close()
        if let reason { onReport(.ended(reason)) }
    }
}
