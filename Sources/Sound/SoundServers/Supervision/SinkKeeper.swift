import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// Keeps one output in a server: makes it, makes it again after it was lost, and reports what happens in
/// order.
final class SinkKeeper: Sendable {
    private enum Phase {
        case closed
        /// An attempt runs, or the next one waits.
        case opening
        case made(SinkOpener.Opened)
    }

    private struct State {
        var phase = Phase.opening
        var latency: Duration
        /// The output says that the server has taken it; it may say so before the attempt ends.
        var hasOpened = false
        var volume = KeptVolume()
        var retry = RetryDelay()
        /// The last loss that was reported, so that attempts do not repeat it.
        var reportedLoss: String?
        /// The number of the attempt: reports of earlier outputs do not count.
        var attempt = 0
    }

    private let configuration: SystemSinkConfiguration
    private let onEvent: @Sendable (SystemSinkEvent) -> Void
    private let queue = SerialQueue(label: "tutti.system-sink")
    /// Where attempts block.
    private let opener = SerialQueue(label: "tutti.sound-server")
    private let state: Mutex<State>
    private let wakeUp: QueueWakeUp

    init(
        _ configuration: SystemSinkConfiguration, onEvent: @escaping @Sendable (SystemSinkEvent) -> Void
    ) {
        self.configuration = configuration
        self.onEvent = onEvent
        state = Mutex(State(latency: Self.clamped(configuration.latency)))
        wakeUp = QueueWakeUp(on: queue, leeway: .milliseconds(100))
        queue.async { self.open() }
    }

    func setLatency(_ latency: Duration) {
        let latency = Self.clamped(latency)
        queue.async {
            self.backend { $0.latency = latency }?.setLatency(latency)
        }
    }

    func setVolume(_ volume: MixerVolume) {
        queue.async {
            self.backend { $0.volume.set(volume) }?.setVolume(volume)
        }
    }

    /// Removes the output, then calls `completion`; no event follows.
    func close(completion: @escaping @Sendable () -> Void) {
        queue.async {
            let backend = self.backend { _ in }
            self.state.withLock { state in
                state.phase = .closed
                state.attempt += 1
            }
            self.wakeUp.cancel()
            backend?.close()
            // An attempt that runs ends first; its output is closed where it reports.
            self.opener.async { self.queue.async(execute: completion) }
        }
    }

    /// Returns the nearest latency that a sink may be told.
    static func clamped(_ latency: Duration) -> Duration {
        let range = SystemSinkConfiguration.latencies
        return min(max(latency, range.lowerBound), range.upperBound)
    }

    // MARK: On the queue

    /// Changes the state, and returns the output that is there.
    private func backend(_ change: (inout sending State) -> Void) -> (any SinkBackend)? {
        queue.assertCurrent()
        return state.withLock { state in
            change(&state)
            if case .made(let opened) = state.phase { return opened.backend }
            return nil
        }
    }

    private func open() {
        let attempt = state.withLock { state -> (number: Int, latency: Duration, failures: Int)? in
            guard case .opening = state.phase else { return nil }
            state.attempt += 1
            state.hasOpened = false
            return (state.attempt, state.latency, state.retry.failures)
        }
        guard let attempt else { return }
        opener.async {
            do throws(SinkFailure) {
                let opened = try SinkOpener.open(
                    self.configuration, latency: attempt.latency, failures: attempt.failures,
                    queue: self.queue
                ) { [weak self] report in self?.take(report, of: attempt.number) }
                self.queue.async { self.take(opened, of: attempt.number) }
            } catch {
                self.queue.async { self.lose(error.text, in: attempt.number) }
            }
        }
    }

    private func take(_ opened: SinkOpener.Opened, of attempt: Int) {
        let latest = state.withLock { state -> (latency: Duration, volume: MixerVolume?)? in
            guard state.attempt == attempt, case .opening = state.phase else { return nil }
            state.phase = .made(opened)
            return (state.latency, state.volume.wanted)
        }
        guard let latest else { return opened.backend.close() }
        // They may have changed during the attempt.
        opened.backend.setLatency(latest.latency)
        if let volume = latest.volume { opened.backend.setVolume(volume) }
        tellReady()
    }

    private func take(_ report: SinkReport, of attempt: Int) {
        queue.assertCurrent()
        guard state.withLock({ $0.attempt == attempt }) else { return }
        switch report {
        case .opened:
            state.withLock { $0.hasOpened = true }
            tellReady()
        case .sound(let block, let heardAt): onEvent(.sound(block, heardAt: heardAt))
        case .idle: onEvent(.idle)
        case .volume(let volume): tell(volume)
        case .ended(let reason): lose(reason, in: attempt)
        }
    }

    private func tellReady() {
        let server = state.withLock { state -> String? in
            guard case .made(let opened) = state.phase, state.hasOpened else { return nil }
            state.retry.reset()
            state.reportedLoss = nil
            return opened.server
        }
        if let server { onEvent(.ready(server: server)) }
    }

    private func tell(_ volume: MixerVolume) {
        let isNew = state.withLock { state in
            var isReady = false
            if case .made = state.phase { isReady = state.hasOpened }
            return state.volume.take(volume, isReady: isReady)
        }
        if isNew { onEvent(.volume(percent: volume.percent, isMuted: volume.isMuted)) }
    }

    private func lose(_ reason: String, in attempt: Int) {
        let loss = state.withLock { state -> (backend: (any SinkBackend)?, delay: Duration, isNew: Bool)? in
            guard state.attempt == attempt else { return nil }
            var backend: (any SinkBackend)?
            if case .made(let opened) = state.phase { backend = opened.backend }
            state.phase = .opening
            state.attempt += 1
            defer { state.reportedLoss = reason }
            return (backend, state.retry.afterFailure(), state.reportedLoss != reason)
        }
        guard let loss else { return }
        loss.backend?.close()
        if loss.isNew { onEvent(.lost(reason)) }
        wakeUp.set(after: loss.delay) { [weak self] in self?.open() }
    }
}
