import TuttiMediaTime

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
