/// A line of sound in frames: `frame` is heard at `host`, later frames at the sample rate.
///
/// The arithmetic is exact in integers; a result outside of 64 bits saturates. `PresentationLine` in CoreMedia
/// is the same line in presentation time: at any rate, also standing, so that not every time has a host time.
package struct FrameLine: Hashable, Sendable {
    /// The timeline frame of the anchor.
    package var frame: Int64
    /// The host time at which ``frame`` is heard.
    package var host: HostTime
    /// The frames per second.
    package let sampleRate: SampleRate

    /// Creates a line through an anchor.
    package init(frame: Int64, host: HostTime, sampleRate: SampleRate) {
        self.frame = frame
        self.host = host
        self.sampleRate = sampleRate
    }

    /// Returns the frame heard at `time`, rounded down; before the line starts, its first frame.
    package func frame(at time: HostTime) -> Int64 {
        max(frame, position(at: time))
    }

    /// Returns the frame on the line at `time`, rounded down, also before the line starts.
    package func position(at time: HostTime) -> Int64 {
        frame.addingSaturated(sampleRate.frames(in: time.nanoseconds(since: host)))
    }

    /// Returns the host time at which `frame` is heard, rounded toward the anchor.
    package func host(of frame: Int64) -> HostTime {
        host.advanced(
            byNanoseconds: sampleRate.nanoseconds(of: frame.subtractingSaturated(self.frame)))
    }

    /// Returns the line on which the anchor's frame is heard at another time.
    package func moved(to host: HostTime) -> FrameLine {
        FrameLine(frame: frame, host: host, sampleRate: sampleRate)
    }

    /// Returns the same line with a later anchor.
    package func advanced(to time: HostTime) -> FrameLine { advanced(toFrame: frame(at: time)) }

    /// Returns the same line anchored at this frame, if it is a later one.
    package func advanced(toFrame frame: Int64) -> FrameLine {
        guard frame > self.frame else { return self }
        return FrameLine(frame: frame, host: host(of: frame), sampleRate: sampleRate)
    }
}
