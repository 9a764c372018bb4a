internal import Dispatch
internal import Glibc
public import MediaTime
public import PCM
internal import Synchronization
internal import SystemIO

/// An output to a device of ALSA, in stereo, with the device's own time stamps behind every play time.
///
/// The device begins with a buffer of silence, which is counted in ``DeviceTime/frame``. After an underrun it
/// begins anew the same way. A device that vanishes is looked for each second.
public final class ALSAOutput: AudioOutput {
    public let format: PCMFormat
    public let periodFrames: Int
    /// As ALSA names it, e.g. `hw:CARD=DAC,DEV=0`.
    public let device: String
    private let thread = OutputThread(name: "output.alsa")

    /// Tries the device and takes what it offers; it is free again until ``start(_:)``.
    ///
    /// - Parameters:
    ///   - device: One that `snd_pcm_open` knows.
    ///   - preferredRate: The nearest that the device has itself is taken; ``format`` tells which.
    ///   - periodFrames: The nearest that the device has is taken; `nil` for 10 ms.
    public init(
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

    public func start(_ source: any RenderSource) throws(OutputError) {
        try thread.claim()
        let opened = OpenResult()
        let reporter = StateReporter(source: source)
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

    public func stop() { thread.stop() }

    /// The device as it was when it was tried; one that comes back otherwise cannot be used.
    private static func open(
        _ name: String, _ rate: SampleRate, _ periodFrames: Int
    ) throws(OutputError) -> ALSADevice {
        let device = try ALSADevice(name: name, rate: rate, periodFrames: periodFrames)
        let found = device.configuration
        guard found.sampleRate == rate, found.periodFrames == periodFrames else {
            throw OutputError(
                operation: "snd_pcm_hw_params", code: EINVAL,
                description:
                    "ALSA device \(name): it now takes only \(found.sampleRate) in periods of \(found.periodFrames) frames"
            )
        }
        return device
    }
}

/// How opening went, from the render thread, where the device stays, to the one that waits for it.
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
