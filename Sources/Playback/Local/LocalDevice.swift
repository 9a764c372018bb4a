import AirPlayReceiver
import AudioOutput
import ClockService
import MediaTime
import SystemIO

/// The device of this machine that the program's own sound comes out of, shared by all of its renderers.
///
/// Runs from the first player to the last. Any thread.
final class LocalDevice: Sendable {
    /// Renderers that are heard at once.
    static let voiceLimit = 16

    let sampleRate: SampleRate
    private let output: SpeakerOutput

    /// Opens the device; may wait until it is open.
    ///
    /// - Parameter onLoss: told each time the device is gone, on a thread of its own that must not wait; ``loss`` says
    ///   why. It may come back by itself.
    init(_ device: any AudioOutput, onLoss: @escaping @Sendable () -> Void) throws(OutputError) {
        sampleRate = device.format.sampleRate
        output = try SpeakerOutput(output: device, clock: HostLine(), voices: Self.voiceLimit) { state in
            if case .lost = state { onLoss() }
        }
        try output.start()
    }

    deinit { output.stop() }

    /// The last call.
    func close() { output.stop() }

    /// Why nothing is heard just now; `nil` while the device runs.
    var loss: String? {
        if case .lost(let reason) = output.state { reason } else { nil }
    }

    /// - Throws: when ``voiceLimit`` renderers play.
    func addSink(bufferBytes: Int) throws(RouteError) -> StreamPlayout {
        let configuration = PlayoutConfiguration(bufferBytes: bufferBytes, decodedSeconds: 0.5)
        guard let sink = output.addSink(configuration: configuration) else {
            throw RouteError("\(Self.voiceLimit) renderers play on this machine's device already")
        }
        return sink
    }

    func remove(_ sink: StreamPlayout) { output.remove(sink) }

    func earliestPlayTime(at now: HostTime) -> HostTime { output.earliestPlayTime(at: now) }
}

/// The host's own clock, in the words of a stream's.
struct HostLine: ReceiverClock {
    static let identity = ClockIdentity(rawValue: 0)

    func mapping(of identity: ClockIdentity) -> ClockMapping? {
        ClockMapping(host: HostTime(nanoseconds: 0), network: NetworkTime(nanoseconds: 0))
    }

    /// What host time is called on a stream.
    static func networkTime(of time: HostTime) -> NetworkTime { NetworkTime(nanoseconds: time.nanoseconds) }
}
