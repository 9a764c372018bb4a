internal import Glibc
internal import MediaTime
internal import SystemIO

/// The render thread's side of an ``ALSAOutput``: keeps a device filled, and finds it again when it is lost.
struct ALSAPlayer {
    /// How often a lost device is looked for.
    static let retryInterval = Duration.seconds(1)
    /// A device that makes no room for so long stands still.
    static let stallLimit = Duration.seconds(2)
    /// So that a stop is noticed also when the device stands still.
    private static let waitMilliseconds: Int32 = 100

    private let name: String
    private let sampleRate: SampleRate
    private let periodFrames: Int
    private var frame: Int64 = 0
    private var clock: DeviceClock
    private var frames: [Float]

    /// - Parameters:
    ///   - sampleRate: What the device took when it was tried.
    ///   - periodFrames: Likewise; a device that comes back with other periods is still asked for these.
    init(name: String, sampleRate: SampleRate, periodFrames: Int) {
        self.name = name
        self.sampleRate = sampleRate
        self.periodFrames = periodFrames
        clock = DeviceClock(sampleRate: sampleRate)
        frames = Array(repeating: 0, count: FrameEncoder.sourceChannelCount * periodFrames)
    }

    func open() throws(OutputError) -> ALSADevice {
        let device = try ALSADevice(name: name, rate: sampleRate, periodFrames: periodFrames)
        guard device.configuration.sampleRate == sampleRate,
            device.configuration.periodFrames == periodFrames
        else {
            throw OutputError(
                operation: "snd_pcm_hw_params", code: EINVAL,
                description:
                    "ALSA device \(name): it now takes only \(device.configuration.sampleRate) in periods of \(device.configuration.periodFrames) frames; start again"
            )
        }
        return device
    }

    /// Plays until the thread is to end.
    mutating func run(
        _ device: consuming ALSADevice, source: any RenderSource, reporter: StateReporter,
        wait: OutputThread.Wait
    ) {
        var device: ALSADevice? = device
        while wait(SystemClock.now) {
            if var playing = device {
                // Its only owner from here on, so that leaving the scope closes it.
                device = nil
                do throws(OutputError) {
                    try play(&playing, source: source, wait: wait)
                } catch {
                    reporter.report(.lost(reason: error.description))
                }
            } else {
                guard wait(SystemClock.now.advanced(by: Self.retryInterval)) else { return }
                device = try? open()
                if device != nil { reporter.report(.running) }
            }
        }
    }

    /// Plays until the thread is to end, over underruns.
    ///
    /// - Throws: When the device is lost.
    private mutating func play(
        _ device: inout ALSADevice, source: any RenderSource, wait: OutputThread.Wait
    ) throws(OutputError) {
        var pace = try begin(&device)
        var lastProgress = SystemClock.now
        while wait(pace.earliestTime(of: frame)) {
            let code = try step(&device, source: source)
            let now = SystemClock.now
            switch -code {
            case 0:
                lastProgress = now
            case EAGAIN, EINTR:
                guard now.since(lastProgress) < Self.stallLimit else {
                    throw OutputError(
                        operation: "snd_pcm_wait", code: ETIMEDOUT,
                        description: "ALSA device \(name): it stands still")
                }
                // Some devices say that they have room before there is a whole period of it.
                guard wait(now.advanced(by: .milliseconds(1))) else { return }
            default:
                // Underrun or suspend: the device is begun anew, at most once a period.
                guard wait(now.advanced(by: sampleRate.duration(of: Int64(periodFrames)))) else { return }
                pace = try begin(&device)
                lastProgress = now
            }
        }
    }

    /// Starts the device with silence: when the frames after it are heard is known only once it runs.
    private mutating func begin(_ device: inout ALSADevice) throws(OutputError) -> PaceLimit {
        let silence = try device.startWithSilence()
        frame += Int64(silence)
        clock.reset()
        return PaceLimit(sampleRate: sampleRate, firstFrame: frame, start: SystemClock.now)
    }

    /// Writes one period when there is room.
    ///
    /// - Returns: 0, `-EAGAIN` when there was no room, or another error after which the device can go on.
    private mutating func step(_ device: inout ALSADevice, source: any RenderSource) throws(OutputError)
        -> Int32
    {
        let ready = device.waitForRoom(milliseconds: Self.waitMilliseconds)
        if ready < 0 { return try recoverable(ready, "snd_pcm_wait") }
        let room = device.room
        if room < 0 { return try recoverable(Int32(room), "snd_pcm_avail_update") }
        guard ready > 0, room >= periodFrames else { return -EAGAIN }
        observe(device)
        render(source)
        let written = frames.withUnsafeBufferPointer { device.write($0) }
        if written < 0 { return try recoverable(Int32(written), "snd_pcm_writei") }
        frame += Int64(written)
        return 0
    }

    private mutating func observe(_ device: ALSADevice) {
        guard let delay = device.delay() else { return }
        clock.observe(frame: frame - Int64(delay.frames), at: delay.time)
    }

    private mutating func render(_ source: any RenderSource) {
        let time = DeviceTime(
            frame: frame, playTime: clock.playTime(of: frame) ?? SystemClock.now, rateRatio: clock.rateRatio)
        let frameCount = periodFrames
        frames.withUnsafeMutableBufferPointer { source.render($0, frameCount: frameCount, at: time) }
    }

    private func recoverable(_ code: Int32, _ operation: String) throws(OutputError) -> Int32 {
        guard [EPIPE, ESTRPIPE, EAGAIN, EINTR].contains(-code) else {
            throw .alsa(operation, code, name)
        }
        return code
    }
}
