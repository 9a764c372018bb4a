import TuttiMediaTime
import TuttiPCM

/// One audio device or file that plays sound.
///
/// An output's own thread asks a ``RenderSource`` for every frame, a period at a time, and passes the time at
/// which the frames will be heard. The thread also asks while nothing plays; the source then renders silence.
/// It does not ask while the device is lost.
///
/// An output retains its source until ``stop()``. An output that is released without ``stop()`` stops by
/// itself.
package protocol AudioOutput: AnyObject, Sendable {
    /// The format that ``RenderSource/render(_:frameCount:at:)`` fills: interleaved 32 bit floats at the
    /// device's rate. Never changes.
    var format: PCMFormat { get }
    /// The device's period: the maximum number of frames of one render call. Frames are heard after all
    /// queued periods; ``DeviceTime/playTime`` gives that time.
    var periodFrames: Int { get }

    /// Starts the render thread. Call once. May block until the device is open.
    ///
    /// - Throws: An error if the device cannot be opened at all. After a later loss, the output retries and
    ///   notifies the source.
    func start(_ source: any RenderSource) throws(OutputError)

    /// Stops the output. After the return no render call follows, but a state change that is being reported
    /// may still arrive. Idempotent; allowed from ``RenderSource/outputChanged(_:)``, never from the render
    /// thread.
    func stop()
}

/// The provider of an output's frames.
package protocol RenderSource: AnyObject, Sendable {
    /// Fills all of `destination` with `frameCount` interleaved frames.
    ///
    /// Runs on the output's render thread: must not allocate, lock, block, log or throw. The output owns the
    /// memory, whose previous content is undefined.
    func render(_ destination: UnsafeMutableBufferPointer<Float>, frameCount: Int, at time: DeviceTime)

    /// Reports that the device was lost or is back. Runs on a queue of the output, never on the render
    /// thread.
    func outputChanged(_ state: OutputState)
}

/// The play time of a render call's first frame.
package struct DeviceTime: Hashable, Sendable {
    /// Frames since the device started, counted on across losses of the device. Includes the output's own
    /// silence at the start of a real device, so the first requested frame need not be 0.
    package var frame: Int64
    /// Smoothed host time at which the frame leaves the output, latency included; not the time of the call.
    /// Jumps after a stall or a loss of the device.
    package var playTime: HostTime
    /// Smoothed ratio of actual to nominal frame rate, in host time: 1.00004 for +40 ppm.
    package var rateRatio: Double

    /// Creates a play time.
    package init(frame: Int64, playTime: HostTime, rateRatio: Double) {
        self.frame = frame
        self.playTime = playTime
        self.rateRatio = rateRatio
    }
}

/// The state of a device.
package enum OutputState: Hashable, Sendable {
    /// The device plays.
    case running
    /// The device is lost and the output retries; `reason` says what happened and what to do.
    case lost(reason: String)
}

/// The reason that an output cannot be used.
package struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failed operation, e.g. `snd_pcm_open`.
    package var operation: String
    /// The error code, positive: `errno` for ALSA and files, a code of PulseAudio for its own calls.
    package var code: Int32
    /// A message that the user can act on.
    package var description: String

    /// Creates an error.
    package init(operation: String, code: Int32, description: String) {
        self.operation = operation
        self.code = code
        self.description = description
    }
}
