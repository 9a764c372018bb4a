public import MediaTime
public import PCM
internal import Synchronization

/// An output to a sink of PulseAudio, or of PipeWire, which speaks its protocol.
///
/// The stream keeps the rate that the sink had when the output was made. When the server or the sink goes away, it
/// is looked for each second; when someone moves the stream to another sink, it goes on there. Never from the
/// output's own callbacks: ``stop()``.
public final class PulseOutput: AudioOutput {
    public let format: PCMFormat
    public let periodFrames: Int
    /// The sink that was asked for; `nil` for the server's default.
    public let sink: String?
    private let server: String?

    private enum Phase {
        case idle
        case running(PulseSession)
        case stopped
    }

    private let phase = Mutex<Phase>(.idle)

    /// Asks the server for the sink, for at most two seconds.
    ///
    /// - Parameters:
    ///   - sink: Its name; `nil` for the default.
    ///   - server: As in `PULSE_SERVER`; `nil` for the user's own.
    ///   - preferredRate: Taken only when the sink's own is neither 44.1 nor 48 kHz; then the server resamples.
    ///   - periodFrames: Most frames of one render call; `nil` for 10 ms.
    public init(
        sink: String? = nil, server: String? = nil, preferredRate: SampleRate = .hz44100,
        periodFrames: Int? = nil
    ) throws(OutputError) {
        let found = try PulseServer.sink(named: sink, of: server)
        let rate = [.hz44100, .hz48000].first { $0.hertz == found.hertz } ?? preferredRate
        self.sink = sink
        self.server = server
        // PulseAudio's library knows stereo as the default map of two channels.
        format = PCMFormat(sampleRate: rate, channelCount: 2, sampleFormat: .float32)
        self.periodFrames = max(1, periodFrames ?? rate.defaultPeriodFrames)
    }

    deinit { stop() }

    public func start(_ source: any RenderSource) throws(OutputError) {
        try phase.withLock { (phase) throws(OutputError) in
            switch phase {
            case .running:
                throw .pulse("start", 0, "an output starts only once")
            case .stopped: return
            case .idle:
                let session = try PulseSession(
                    sink: sink, server: server, format: format, periodFrames: periodFrames, source: source)
                try session.begin()
                phase = .running(session)
            }
        }
    }

    public func stop() {
        phase.withLock { phase in
            if case .running(let session) = phase { session.end() }
            phase = .stopped
        }
    }
}
