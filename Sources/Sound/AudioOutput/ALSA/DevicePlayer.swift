import Glibc
import TuttiMediaTime
import TuttiSystemIO

/// A device with a buffer that plays on its own, like ALSA's. Error codes are negative, like ALSA's.
protocol PlaybackDevice {
    /// Prepares the device, fills it with silence and starts it.
    ///
    /// - Returns: The number of frames of silence.
    mutating func startWithSilence() throws(OutputError) -> Int
    /// Waits up to `milliseconds` for room for a period. Returns 1 if there is room, 0 if not, else the
    /// error.
    func waitForRoom(milliseconds: Int32) -> Int32
    /// Free frames in the buffer, or the error.
    var room: Int { get }
    /// Returns the number of written frames not heard yet and the host time of that count; `nil` if unknown.
    func delay() -> (frames: Int, time: HostTime)?
    /// Writes one period of rendered frames.
    ///
    /// - Returns: The number of frames that the device took, or the error.
    mutating func write(_ frames: UnsafeBufferPointer<Float>) -> Int
}

/// The render thread's loop on a device: keeps the buffer filled, and reopens the device after a loss.
struct DevicePlayer<Device: PlaybackDevice> {
    /// Interval between attempts to reopen a lost device.
    static var retryInterval: Duration { .seconds(1) }
    /// Longest time without free room; after it the device counts as stalled.
    static var stallLimit: Duration { .seconds(5) }
    /// Poll interval, so that a stop is noticed even while the device stalls.
    private static var waitMilliseconds: Int32 { 100 }

    private let name: String
    private let sampleRate: SampleRate
    private let periodFrames: Int
    private let hostClock: any HostClock
    private let open: () throws(OutputError) -> Device
    private var frame: Int64 = 0
    private var clock: DeviceClock
    private var frames: [Float]

    /// - Parameters:
    ///   - name: The device's name for error messages.
    ///   - open: Opens the device with this rate and period. Called again every second while the device is
    ///     lost.
    init(
        name: String, sampleRate: SampleRate, periodFrames: Int, clock: any HostClock = SystemClock(),
        open: @escaping () throws(OutputError) -> Device
    ) {
        self.name = name
        self.sampleRate = sampleRate
        self.periodFrames = periodFrames
        self.hostClock = clock
        self.open = open
        self.clock = DeviceClock(sampleRate: sampleRate)
        frames = Array(repeating: 0, count: FrameEncoder.sourceChannelCount * periodFrames)
    }

    /// Plays until the thread is asked to end; returns at once if the device cannot be opened.
    ///
    /// - Parameters:
    ///   - opened: Called once with the result of the first opening.
    ///   - report: Called for every later state change.
    mutating func run(
        source: any RenderSource, wait: OutputThread.Wait, opened: (OutputError?) -> Void,
        report: (OutputState) -> Void
    ) {
        // No other reference exists outside the scope that plays, so a lost device is closed before it is
        // reopened.
        var device: Device?
        do throws(OutputError) {
            device = try open()
        } catch {
            return opened(error)
        }
        opened(nil)
        while wait(hostClock.now) {
            if var playing = device {
                device = nil
                do throws(OutputError) {
                    try play(&playing, source: source, wait: wait)
                } catch {
                    report(.lost(reason: error.description))
                }
            } else {
                guard wait(hostClock.now.advanced(by: Self.retryInterval)) else { return }
                // The loss has been reported; the errors until the device is back say the same.
                device = try? open()
                if device != nil { report(.running) }
            }
        }
    }

    /// Plays until the thread is asked to end, and restarts after underruns.
    ///
    /// - Throws: An error if the device is lost.
    private mutating func play(
        _ device: inout Device, source: any RenderSource, wait: OutputThread.Wait
    ) throws(OutputError) {
        var pace = try begin(&device)
        var lastProgress = hostClock.now
        while wait(pace.earliestTime(of: frame)) {
            let code = try step(&device, source: source)
            let now = hostClock.now
            switch -code {
            case 0:
                lastProgress = now
            case EAGAIN, EINTR:
                guard now.since(lastProgress) < Self.stallLimit else {
                    throw OutputError(
                        operation: "snd_pcm_wait", code: ETIMEDOUT,
                        description: "ALSA device \(name): the device stopped playing")
                }
                // Some devices report room before a whole period is free.
                guard wait(now.advanced(by: .milliseconds(1))) else { return }
            default:
                // Underrun or suspend: restarts the device, at most once a period.
                guard wait(now.advanced(by: sampleRate.duration(of: Int64(periodFrames)))) else { return }
                pace = try begin(&device)
                lastProgress = now
            }
        }
    }

    /// Starts the device with silence, because play times are known only once it runs.
    private mutating func begin(_ device: inout Device) throws(OutputError) -> PaceLimit {
        let silence = try device.startWithSilence()
        frame += Int64(silence)
        clock.reset()
        return PaceLimit(sampleRate: sampleRate, firstFrame: frame, start: hostClock.now)
    }

    /// Writes one period if there is room.
    ///
    /// - Returns: 0, `-EAGAIN` if there was no room, or another recoverable error.
    private mutating func step(_ device: inout Device, source: any RenderSource) throws(OutputError)
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

    private mutating func observe(_ device: Device) {
        guard let delay = device.delay() else { return }
        clock.observe(frame: frame - Int64(delay.frames), at: delay.time)
    }

    private mutating func render(_ source: any RenderSource) {
        let time = DeviceTime(
            frame: frame, playTime: clock.playTime(of: frame) ?? hostClock.now, rateRatio: clock.rateRatio)
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
