import Dispatch
import Glibc
import Synchronization
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// A stereo output to an ALSA device; play times are based on the device's own time stamps.
///
/// The device begins with a buffer of silence, which counts in ``DeviceTime/frame``, and restarts in the same
/// way after an underrun. Tutti retries every second after the device is lost.
package final class ALSAOutput: AudioOutput {
    package let format: PCMFormat
    package let periodFrames: Int
    /// The ALSA name, e.g. `hw:CARD=DAC,DEV=0`.
    package let device: String
    private let thread = OutputThread(name: "output.alsa")

    /// Opens the device to negotiate the format, and closes it again until ``start(_:)``.
    ///
    /// - Parameters:
    ///   - device: A name that `snd_pcm_open` knows.
    ///   - preferredRate: The device's nearest native rate is used; see ``format``.
    ///   - periodFrames: The device's nearest period is used; `nil` for 10 ms.
    /// - Throws: An error with the ALSA code if the device cannot be opened or supports no usable format.
    package init(
        device: String = "default", preferredRate: SampleRate = .hz44100, periodFrames: Int? = nil
    ) throws(OutputError) {
        let tried = try ALSADevice(name: device, rate: preferredRate, periodFrames: periodFrames)
            .configuration
        self.device = device
        self.periodFrames = tried.periodFrames
        format = PCMFormat(
            sampleRate: tried.sampleRate, channelCount: FrameEncoder.sourceChannelCount,
            sampleFormat: .float32)
    }

    deinit { thread.requestStop() }

    package func start(_ source: any RenderSource) throws(OutputError) {
        try thread.claim()
        let opened = OpenResult()
        let reporter = StateReporter(source: source, machine: SystemMachine())
        let (name, rate, periodFrames) = (device, format.sampleRate, periodFrames)
        try thread.start { wait in
            var player = DevicePlayer(name: name, sampleRate: rate, periodFrames: periodFrames) {
                () throws(OutputError) in
                try Self.open(name, rate, periodFrames)
            }
            player.run(source: source, wait: wait, opened: opened.tell, report: reporter.report)
            reporter.end()
        }
        if let error = opened.wait() { throw error }
    }

    package func stop() { thread.stop() }

    /// Opens the device with the negotiated parameters; throws if it returned with others.
    private static func open(
        _ name: String, _ rate: SampleRate, _ periodFrames: Int
    ) throws(OutputError) -> ALSADevice {
        let device = try ALSADevice(name: name, rate: rate, periodFrames: periodFrames)
        let found = device.configuration
        guard found.sampleRate == rate, found.periodFrames == periodFrames else {
            throw OutputError(
                operation: "snd_pcm_hw_params", code: EINVAL,
                description:
                    "ALSA device \(name): the device now supports only \(found.sampleRate) in periods of \(found.periodFrames) frames"
            )
        }
        return device
    }
}

/// The result of opening, passed from the render thread, which owns the device, to the caller of `start`.
private final class OpenResult: Sendable {
    private let error = Mutex<OutputError?>(nil)
    private let isKnown = DispatchSemaphore(value: 0)

    func tell(_ error: OutputError?) {
        self.error.withLock { $0 = error }
        isKnown.signal()
    }

    func wait() -> OutputError? {
        isKnown.wait()
        return error.withLock { $0 }
    }
}
