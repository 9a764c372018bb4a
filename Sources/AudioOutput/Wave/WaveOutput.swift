public import MediaTime
public import PCM

/// An output that writes what would be heard to a wave file, paced by a ``VirtualDAC``.
///
/// The file's header is kept valid while it grows. Beside it, `<file>.times` tells the host time at which frames
/// leave the device: a first line `# rate 44100 ppm 40`, then lines `frame hostNanoseconds`, one a second and one
/// wherever the device was away. When the file cannot grow, the device counts as lost until it can; frame numbers
/// in both files stay those of ``DeviceTime/frame``.
public final class WaveOutput: AudioOutput {
    /// How a sample is stored.
    public enum Depth: Hashable, Sendable {
        /// Rounded to the nearest; 16 bit sources at full volume arrive bit for bit.
        case int16
        /// As rendered.
        case float32
    }

    public let format: PCMFormat
    public let periodFrames: Int
    private let player: VirtualPlayer<WaveSink>

    /// - Parameters:
    ///   - path: Created, or emptied, by ``start(_:)``, and so is `<path>.times`.
    ///   - ppm: How much faster than nominal its clock runs, in millionths; held inside ±``VirtualDAC/ppmLimit``.
    ///   - periodFrames: `nil` for 10 ms.
    ///   - latencyFrames: From a render call to its first frame.
    public init(
        path: String, sampleRate: SampleRate = .hz44100, channelCount: Int = 2, depth: Depth = .int16,
        ppm: Double = 0, periodFrames: Int? = nil, latencyFrames: Int = 0
    ) {
        let dac = VirtualDAC(
            sampleRate: sampleRate, ppm: ppm, periodFrames: periodFrames, latencyFrames: latencyFrames,
            startingAt: HostTime(nanoseconds: 0))
        let format = PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: .float32)
        let sink = WaveSink(path: path, format: depth == .int16 ? format.with(.int16) : format, ppm: dac.ppm)
        self.format = format
        self.periodFrames = dac.periodFrames
        player = VirtualPlayer(
            name: "output.wave", device: VirtualDevice(dac: dac, channelCount: channelCount, sink: sink))
    }

    public func start(_ source: any RenderSource) throws(OutputError) { try player.start(source) }

    public func stop() { player.stop() }
}
