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

    private let shared: SharedDevice
    private let beginningLimit: Duration?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - shared: the open device, which the caller has entered for this zone.
    ///   - beginningLimit: replaces ``PlayoutConfiguration/beginningLimit``.
    init(_ shared: SharedDevice, beginningLimit: Duration? = nil) {
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
        for sink in sinks { shared.output.remove(sink) }
        shared.leave()
    }

    var sampleRate: SampleRate { shared.sampleRate }

    /// The reason that the device is lost; `nil` while it runs.
    var loss: String? {
        if case .lost(let reason) = shared.output.state { reason } else { nil }
    }

    /// Adds a stream.
    ///
    /// - Throws: ``RouteError`` if ``SharedDevice/voiceLimit`` renderers play already.
    func addSink(bufferBytes: Int) throws(RouteError) -> StreamPlayout {
        var configuration = PlayoutConfiguration(bufferBytes: bufferBytes, decodedSeconds: 0.5)
        if let beginningLimit { configuration.beginningLimit = beginningLimit }
        guard let sink = shared.output.addSink(configuration: configuration) else {
            throw RouteError(
                "\(SharedDevice.voiceLimit) renderers play on this machine's device already")
        }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.sinks.append(sink) }
            return state.isClosed
        }
        if isClosed { shared.output.remove(sink) }
        return sink
    }

    func remove(_ sink: StreamPlayout) {
        state.withLock { $0.sinks.removeAll { $0 === sink } }
        shared.output.remove(sink)
    }

    func earliestPlayTime(at now: HostTime) -> HostTime { shared.output.earliestPlayTime(at: now) }
}

/// An open device of this machine, which mixes the sound of all zones that have entered it. Thread-safe.
final class SharedDevice: Sendable {
    /// Maximum number of simultaneous renderers.
    static let voiceLimit = 16

    let sampleRate: SampleRate
    fileprivate let output: SpeakerOutput
    /// The number of zones; `nil` once the last one has left.
    private let zones = Mutex<Int?>(1)

    /// Opens the device for a first zone; blocks until it is open.
    ///
    /// - Parameter onLoss: called each time the device is lost, on a thread that must not block; the device may recover by
    ///   itself.
    /// - Throws: `OutputError` if the device cannot be opened.
    init(_ device: any AudioOutput, onLoss: @escaping @Sendable () -> Void) throws(OutputError) {
        sampleRate = device.format.sampleRate
        output = try SpeakerOutput(output: device, clock: HostLine(), voices: Self.voiceLimit) { state in
            if case .lost = state { onLoss() }
        }
        try output.start()
    }

    deinit { output.stop() }

    /// Enters a further zone.
    ///
    /// - Returns: `false` if the last zone has left, and the device must be opened anew.
    func enter() -> Bool {
        zones.withLock { zones in
            zones = zones.map { $0 + 1 }
            return zones != nil
        }
    }

    /// Stops the device when its last zone leaves.
    func leave() {
        let isLast = zones.withLock { zones in
            let rest = zones.map { $0 - 1 }
            zones = rest == 0 ? nil : rest
            return rest == 0
        }
        if isLast { output.stop() }
    }
}

/// The host clock as a stream's reference clock.
struct HostLine: ReceiverClock {
    static let identity = ClockIdentity(rawValue: 0)

    func mapping(of identity: ClockIdentity) -> ClockMapping? {
        ClockMapping(host: HostTime(nanoseconds: 0), network: NetworkTime(nanoseconds: 0))
    }

    /// Converts host time to network time; both have the same value here.
    static func networkTime(of time: HostTime) -> NetworkTime { NetworkTime(nanoseconds: time.nanoseconds) }
}
