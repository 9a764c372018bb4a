import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// An output that writes the rendered sound to a wave file, paced by a ``VirtualDAC``.
///
/// The header stays valid while the file grows. Beside the file, `<file>.times` records the host times at
/// which frames leave the device: a first line `# rate 44100 ppm 40`, then lines `frame hostNanoseconds`, one
/// a second and one at each discontinuity. If a write fails, the device counts as lost until writing
/// succeeds; frame numbers in both files stay those of ``DeviceTime/frame``.
public final class WaveOutput: AudioOutput {
    /// The sample format of the file.
    public enum Depth: Hashable, Sendable {
        /// 16 bit integers, rounded to nearest; 16 bit sources at full volume arrive bit for bit.
        case int16
        /// 32 bit floats, as rendered.
        case float32
    }

    package let format: PCMFormat
    package let periodFrames: Int
    private let player: VirtualPlayer<WaveSink>

    /// Creates a wave output; ``start(_:)`` opens the files.
    ///
    /// - Parameters:
    ///   - path: The file, created or truncated by ``start(_:)``, like `<path>.times`.
    ///   - ppm: Clock skew in ppm of the nominal rate, positive if fast; clamped to ±``VirtualDAC/ppmLimit``.
    ///   - periodFrames: Frames of a render call; `nil` for 10 ms.
    ///   - latencyFrames: Frames between a render call and the playback of its first frame.
    ///   - machine: Time, and the output's loop.
    package init(
        path: String, sampleRate: SampleRate = .hz44100, channelCount: Int = 2, depth: Depth = .int16,
        ppm: Double = 0, periodFrames: Int? = nil, latencyFrames: Int = 0, machine: any Machine
    ) {
        let dac = VirtualDAC(
            sampleRate: sampleRate, ppm: ppm, periodFrames: periodFrames, latencyFrames: latencyFrames,
            startingAt: HostTime(nanoseconds: 0))
        let format = PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: .float32)
        let sink = WaveSink(path: path, format: depth == .int16 ? format.with(.int16) : format, ppm: dac.ppm)
        self.format = format
        self.periodFrames = dac.periodFrames
        player = VirtualPlayer(
            name: "output.wave", device: VirtualDevice(dac: dac, channelCount: channelCount, sink: sink),
            machine: machine)
    }

    package func start(_ source: any RenderSource) throws(OutputError) { try player.start(source) }

    package func stop() { player.stop() }
}
