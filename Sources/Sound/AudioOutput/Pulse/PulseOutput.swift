import Synchronization
import TuttiMediaTime
import TuttiPCM

/// An output to a sink of PulseAudio, or of PipeWire, which speaks its protocol.
///
/// The stream keeps the rate that the sink had when the output was created. Tutti retries every second after
/// the server or the sink goes away, and follows the stream when the user moves it to another sink. Do not
/// call ``stop()`` from the output's own render callback.
package final class PulseOutput: AudioOutput {
    package let format: PCMFormat
    package let periodFrames: Int
    /// The requested sink; `nil` for the server's default.
    package let sink: String?
    private let server: String?

    private enum Phase {
        case idle
        case running(PulseSession)
        case stopped
    }

    private let phase = Mutex<Phase>(.idle)

    /// Queries the server for the sink. Blocks for two seconds at most.
    ///
    /// - Parameters:
    ///   - sink: The sink's name; `nil` for the default.
    ///   - server: An address like in `PULSE_SERVER`; `nil` for the user's own server.
    ///   - preferredRate: Used only if the sink's rate is neither 44.1 nor 48 kHz; the server then resamples.
    ///   - periodFrames: Maximum frames of one render call; `nil` for 10 ms.
    /// - Throws: An error if no server responds or the sink does not exist.
    package init(
        sink: String? = nil, server: String? = nil, preferredRate: SampleRate = .hz44100,
        periodFrames: Int? = nil
    ) throws(OutputError) {
        let found = try PulseServer.sink(named: sink, of: server)
        let rate = [.hz44100, .hz48000].first { $0.hertz == found.hertz } ?? preferredRate
        self.sink = sink
        self.server = server
        // PulseAudio's default map of two channels is stereo.
        format = PCMFormat(sampleRate: rate, channelCount: 2, sampleFormat: .float32)
        self.periodFrames = max(1, periodFrames ?? rate.defaultPeriodFrames)
    }

    deinit { stop() }

    package func start(_ source: any RenderSource) throws(OutputError) {
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

    package func stop() {
        phase.withLock { phase in
            if case .running(let session) = phase { session.end() }
            phase = .stopped
        }
    }
}
