internal import Glibc
internal import MediaTime
internal import SystemIO

/// A device with a buffer that plays by itself, as ALSA's do. Codes are negative errors as ALSA gives them.
protocol PlaybackDevice {
    /// Makes the device ready, fills it with silence and starts it.
    ///
    /// - Returns: The frames of silence.
    mutating func startWithSilence() throws(OutputError) -> Int
    /// Waits for a period's room, no longer than this: 1 there is, 0 there is not, otherwise the error.
    func waitForRoom(milliseconds: Int32) -> Int32
    /// Frames of room, or the error.
    var room: Int { get }
    /// How many of the frames written are still to be heard, and when that was so; `nil` when it cannot be told.
    func delay() -> (frames: Int, time: HostTime)?
    /// Writes one period of rendered frames.
    ///
    /// - Returns: The frames that the device took, or the error.
    mutating func write(_ frames: UnsafeBufferPointer<Float>) -> Int
}

/// The render thread's side of a device: keeps it filled, and finds it again when it is lost.
struct DevicePlayer<Device: PlaybackDevice> {
    /// How often a lost device is looked for.
    static var retryInterval: Duration { .seconds(1) }
    /// A device that makes no room for so long stands still.
    static var stallLimit: Duration { .seconds(5) }
    /// So that a stop is noticed also when the device stands still.
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
    ///   - name: For errors.
    ///   - open: Opens the device, in this rate and with these periods. Called again each second while it is lost.
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

    /// Plays until the thread is to end, or returns at once when the device cannot be opened.
    ///
    /// - Parameters:
    ///   - opened: Told once how the first opening went.
    ///   - report: Told of every change after it.
    mutating func run(
        source: any RenderSource, wait: OutputThread.Wait, opened: (OutputError?) -> Void,
        report: (OutputState) -> Void
    ) {
        // Kept nowhere but here and in the scope that plays on it, so that a lost one is closed before it is
        // opened again.
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
                device = try? open()
                if device != nil { report(.running) }
            }
        }
    }

    /// Plays until the thread is to end, over underruns.
    ///
    /// - Throws: When the device is lost.
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
    private mutating func begin(_ device: inout Device) throws(OutputError) -> PaceLimit {
        let silence = try device.startWithSilence()
        frame += Int64(silence)
        clock.reset()
        return PaceLimit(sampleRate: sampleRate, firstFrame: frame, start: hostClock.now)
    }

    /// Writes one period when there is room.
    ///
    /// - Returns: 0, `-EAGAIN` when there was no room, or another error after which the device can go on.
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
