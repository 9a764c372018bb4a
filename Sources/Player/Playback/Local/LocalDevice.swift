import AirPlayReceiver
import Synchronization
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// A device of this machine that plays one zone's sound, shared by all of its renderers.
///
/// Runs from the first player to the last, or to ``close()``. Thread-safe.
final class LocalDevice: Sendable {
    private struct State {
        var sinks: [StreamPlayout] = []
        var isClosed = false
    }

    let sampleRate: SampleRate
    private let shared: SharedDevice
    private let output: SpeakerOutput
    private let beginningLimit: Duration?
    private let state = Mutex(State())

    /// Opens the device for one more zone. Blocks while it opens.
    ///
    /// - Parameter beginningLimit: Replaces ``PlayoutConfiguration/beginningLimit``.
    /// - Throws: `OutputError` if the device cannot be opened.
    init(_ shared: SharedDevice, beginningLimit: Duration? = nil) throws {
        output = try shared.enter()
        sampleRate = output.sampleRate
        (self.shared, self.beginningLimit) = (shared, beginningLimit)
    }

    deinit { close() }

    /// Ends this zone's sound at once, and stops the device unless another zone has it open; the last call.
    func close() {
        let sinks = state.withLock { state -> [StreamPlayout]? in
            guard !state.isClosed else { return nil }
            defer { state = State(isClosed: true) }
            return state.sinks
        }
        guard let sinks else { return }
        for sink in sinks { output.remove(sink) }
        shared.leave()
    }

    /// The reason that the device is lost; `nil` while it runs.
    var loss: String? {
        if case .lost(let reason) = output.state { reason } else { nil }
    }

    /// Adds a stream.
    ///
    /// - Throws: ``RouteError`` if ``SharedDevice/voiceLimit`` renderers play already.
    func addSink(bufferBytes: Int) throws(RouteError) -> StreamPlayout {
        var configuration = PlayoutConfiguration(bufferBytes: bufferBytes, decodedSeconds: 0.5)
        if let beginningLimit { configuration.beginningLimit = beginningLimit }
        guard let sink = output.addSink(configuration: configuration) else {
            throw RouteError(
                "\(SharedDevice.voiceLimit) renderers play on this machine's device already")
        }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.sinks.append(sink) }
            return state.isClosed
        }
        if isClosed { output.remove(sink) }
        return sink
    }

    func remove(_ sink: StreamPlayout) {
        state.withLock { $0.sinks.removeAll { $0 === sink } }
        output.remove(sink)
    }

    func earliestPlayTime(at now: HostTime) -> HostTime { output.earliestPlayTime(at: now) }
}
