import AirPlayReceiver
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// A device of this machine that plays the program's own sound, shared by all of its renderers.
///
/// Runs from the first player to the last. Thread-safe.
final class LocalDevice: Sendable {
    /// Maximum number of simultaneous renderers.
    static let voiceLimit = 16

    let sampleRate: SampleRate
    private let output: SpeakerOutput
    private let beginningLimit: Duration?

    /// Opens the device; blocks until it is open.
    ///
    /// - Parameters:
    ///   - beginningLimit: replaces ``PlayoutConfiguration/beginningLimit``.
    ///   - onLoss: called each time the device is lost, on a thread that must not block; ``loss`` gives the
    ///     reason. The device may recover by itself.
    /// - Throws: `OutputError` if the device cannot be opened.
    init(
        _ device: any AudioOutput, beginningLimit: Duration? = nil, onLoss: @escaping @Sendable () -> Void
    ) throws(OutputError) {
        self.beginningLimit = beginningLimit
        sampleRate = device.format.sampleRate
        output = try SpeakerOutput(output: device, clock: HostLine(), voices: Self.voiceLimit) { state in
            if case .lost = state { onLoss() }
        }
        try output.start()
    }

    deinit { output.stop() }

    /// Stops the device; the last call.
    func close() { output.stop() }

    /// The reason that the device is lost; `nil` while it runs.
    var loss: String? {
        if case .lost(let reason) = output.state { reason } else { nil }
    }

    /// Adds a stream.
    ///
    /// - Throws: ``RouteError`` if ``voiceLimit`` renderers play already.
    func addSink(bufferBytes: Int) throws(RouteError) -> StreamPlayout {
        var configuration = PlayoutConfiguration(bufferBytes: bufferBytes, decodedSeconds: 0.5)
        if let beginningLimit { configuration.beginningLimit = beginningLimit }
        guard let sink = output.addSink(configuration: configuration) else {
            throw RouteError("\(Self.voiceLimit) renderers play on this machine's device already")
        }
        return sink
    }

    func remove(_ sink: StreamPlayout) { output.remove(sink) }

    func earliestPlayTime(at now: HostTime) -> HostTime { output.earliestPlayTime(at: now) }
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
