import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// A silent output: a ``VirtualDAC`` that discards every frame.
package final class NullOutput: AudioOutput {
    package let format: PCMFormat
    package let periodFrames: Int
    private let player: VirtualPlayer<NullSink>

    /// Creates a null output.
    ///
    /// - Parameters:
    ///   - ppm: Clock skew in ppm of the nominal rate, positive if fast; clamped to ±``VirtualDAC/ppmLimit``.
    ///   - periodFrames: Frames of a render call; `nil` for 10 ms.
    ///   - latencyFrames: Frames between a render call and the playback of its first frame.
    ///   - machine: Time, and the output's loop.
    package init(
        sampleRate: SampleRate = .hz44100, channelCount: Int = 2, ppm: Double = 0, periodFrames: Int? = nil,
        latencyFrames: Int = 0, machine: any Machine
    ) {
        let dac = VirtualDAC(
            sampleRate: sampleRate, ppm: ppm, periodFrames: periodFrames, latencyFrames: latencyFrames,
            startingAt: HostTime(nanoseconds: 0))
        format = PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: .float32)
        self.periodFrames = dac.periodFrames
        player = VirtualPlayer(
            name: "output.null",
            device: VirtualDevice(dac: dac, channelCount: channelCount, sink: NullSink()),
            machine: machine)
    }

    package func start(_ source: any RenderSource) throws(OutputError) { try player.start(source) }

    package func stop() { player.stop() }
}

struct NullSink: VirtualSink {
    mutating func open() {}
    mutating func take(_ frames: UnsafeBufferPointer<Float>, at time: DeviceTime) {}
    mutating func retry() {}
    mutating func close() {}
}
