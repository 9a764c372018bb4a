public import MediaTime
public import PCM

/// One device or file by which sound leaves this process.
///
/// An output has a thread of its own that asks a ``RenderSource`` for every frame, a period at a time, and says
/// when it will be heard. It keeps asking while nothing plays; the source then gives silence. While its device is
/// lost it does not ask.
///
/// An output holds its source until ``stop()``; one that is let go without it stops by itself.
public protocol AudioOutput: AnyObject, Sendable {
    /// What ``RenderSource/render(_:frameCount:at:)`` fills: interleaved 32 bit floats at the device's own
    /// rate. Never changes.
    var format: PCMFormat { get }
    /// The device's period: most frames of one render call. What a source renders is heard when all periods that
    /// are already on their way have been; ``DeviceTime/playTime`` tells when that is.
    var periodFrames: Int { get }

    /// Begins to ask the source, on the output's own thread. Call it once. May wait until the device is open.
    ///
    /// - Throws: When the device cannot be opened at all. One that vanishes later is waited for, and the
    ///   source is told.
    func start(_ source: any RenderSource) throws(OutputError)

    /// Ends it. When it returns, the source is asked no more; a change that is being told just then may still be.
    /// Safe to call twice and from ``RenderSource/outputChanged(_:)``; never from the render thread.
    func stop()
}

/// Where an output takes its frames from.
public protocol RenderSource: AnyObject, Sendable {
    /// Fills all of `destination`: `frameCount` frames, interleaved.
    ///
    /// On the output's render thread: it must not allocate, lock, wait, log or throw. Memory for the samples is the
    /// output's; what it held before is of no meaning.
    func render(_ destination: UnsafeMutableBufferPointer<Float>, frameCount: Int, at time: DeviceTime)

    /// The device was lost, or is back. On a thread of the output's, never the render thread.
    func outputChanged(_ state: OutputState)
}

/// When the first frame of a render call leaves the output.
public struct DeviceTime: Hashable, Sendable {
    /// Frames that the device has been given since it started; goes on over the loss of a device. Not only the
    /// source's: a real device begins with silence of the output's own, so the first frame asked for need not be 0.
    public var frame: Int64
    /// Host time at which that frame leaves the output, its latency included: smoothed, not the time of the call.
    /// It jumps where the device stood still or was away.
    public var playTime: HostTime
    /// Frames that the device plays in a host second, over its nominal rate: 1.00004 for +40 ppm. Smoothed.
    public var rateRatio: Double

    public init(frame: Int64, playTime: HostTime, rateRatio: Double) {
        self.frame = frame
        self.playTime = playTime
        self.rateRatio = rateRatio
    }
}

/// What has become of a device.
public enum OutputState: Hashable, Sendable {
    case running
    /// It is waited for; the words say what happened and what to do.
    case lost(reason: String)
}

/// Why an output cannot be used.
public struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, e.g. `snd_pcm_open`.
    public var operation: String
    /// The library's code, positive: of `errno` for ALSA and files, of PulseAudio for its own calls.
    public var code: Int32
    /// In words a user can act on.
    public var description: String

    public init(operation: String, code: Int32, description: String) {
        self.operation = operation
        self.code = code
        self.description = description
    }
}
