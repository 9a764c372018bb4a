import TuttiMediaTime

/// The places of live sound on the line of what is heard, a value: sound with its time comes in, frames with
/// their places come out.
///
/// Sound follows its source's clock by a small change of rate. A gap of the source, or sound that comes too
/// late, is silence on the line; nothing ever moves to a later time than its own, so the latency does not
/// grow.
struct LiveTimeline: Sendable {
    /// The rate of the line.
    static let rate = SampleRate.hz44100
    /// The error at which sound is placed again at once, seconds.
    static let jumpError = 0.04
    /// The error at which sound is placed again if it lasts, seconds, and for how many blocks.
    static let lastingError = (seconds: 0.008, blocks: 5)
    /// The time before it is heard at which sound is too late for every output.
    static let latest = Duration.milliseconds(5)

    /// Frames at their place on the line.
    struct Stretch: Equatable, Sendable {
        var frame: Int64
        /// Interleaved stereo.
        var samples: [Float]

        var end: Int64 { frame + Int64(samples.count / 2) }
    }

    /// Counts since the beginning.
    struct Counts: Equatable, Sendable {
        /// Pieces of silence that filled what the source did not bring in time.
        var silences = 0
        /// Times that the sound was placed again.
        var jumps = 0
        /// Frames that came too late, or twice.
        var droppedFrames: Int64 = 0
    }

    private(set) var line: FrameLine
    /// The frame after the last that has its place.
    private(set) var end: Int64
    private(set) var counts = Counts()
    private(set) var servo = LiveServo()
    private var resampler: LiveResampler?
    /// Whether the next block continues the one before.
    private var isContinuous = false
    private var lastingErrors = 0

    /// - Parameter end: The first frame without sound; what is on the line before it is silent.
    init(line: FrameLine, end: Int64) { (self.line, self.end) = (line, end) }

    /// Moves the line; sound that has its place is heard with it.
    mutating func move(to line: FrameLine) {
        guard line != self.line else { return }
        (self.line, isContinuous) = (line, false)
    }

    /// The host time at which the sound without a place would begin.
    var endTime: HostTime { line.host(of: end) }

    /// Places a block.
    ///
    /// - Parameter heardAt: The host time of its first frame.
    /// - Returns: The sound that can be heard now; `nil` if there is none.
    mutating func place(_ sound: LiveSound, heardAt: HostTime, at now: HostTime) -> Stretch? {
        guard sound.frameCount > 0 else { return nil }
        if resampler?.inputRate != sound.rate { isContinuous = false }
        let wanted = frame(at: heardAt)
        var error = 0.0
        if isContinuous, let resampler {
            let next = Double(end) + resampler.pending * Double(Self.rate.hertz)
            error = (wanted - next) / Double(Self.rate.hertz)
            lastingErrors = abs(error) > Self.lastingError.seconds ? lastingErrors + 1 : 0
            if abs(error) > Self.jumpError || lastingErrors >= Self.lastingError.blocks {
                (isContinuous, counts.jumps) = (false, counts.jumps + 1)
            }
        }
        var frames = sound.frames[...]
        if !isContinuous {
            guard let rest = begin(frames, at: wanted, sound.rate, now) else { return nil }
            (frames, error) = (rest, 0)
        }
        let correction = servo.update(error: error, seconds: sound.seconds)
        guard let samples = resampler?.convert(frames, correction: correction), !samples.isEmpty else {
            return nil
        }
        defer { end += Int64(samples.count / 2) }
        return Stretch(frame: end, samples: samples)
    }

    /// Returns the place on the line, also of a time before its beginning.
    private func frame(at host: HostTime) -> Double {
        let distance = Double(host.nanoseconds(since: line.host))
        return Double(line.frame) + distance * Double(Self.rate.hertz) / 1e9
    }

    /// Begins a run of blocks, without the frames whose place is taken or over.
    ///
    /// - Returns: `nil` if none are left.
    private mutating func begin(
        _ frames: ArraySlice<Float>, at wanted: Double, _ rate: SampleRate, _ now: HostTime
    ) -> ArraySlice<Float>? {
        let first = max(end, line.frame, Int64(frame(at: now.advanced(by: Self.latest)).rounded(.up)))
        let scale = Double(rate.hertz) / Double(Self.rate.hertz)
        let late = max(0, (Double(first) - wanted) * scale)
        let count = frames.count / 2
        let dropped = late < Double(count) ? Int(late.rounded(.up)) : count
        counts.droppedFrames += Int64(dropped)
        guard dropped < count else { return nil }
        end = max(first, Int64((wanted + Double(dropped) / scale).rounded()))
        resampler = LiveResampler(from: rate, to: Self.rate)
        (isContinuous, lastingErrors) = (true, 0)
        servo.begin()
        return frames.dropFirst(dropped * 2)
    }

    /// Returns silence up to a host time instead of sound that has not come; `nil` if there is sound until
    /// then.
    mutating func fill(until host: HostTime) -> Stretch? {
        let missing = Int64(frame(at: host).rounded(.down)).subtractingSaturated(end)
        guard missing > 0 else { return nil }
        if isContinuous { counts.silences += 1 }
        isContinuous = false
        // After a long sleep of the machine, a hole is enough.
        let count = min(missing, Int64(Self.rate.hertz))
        defer { end += missing }
        return Stretch(frame: end + missing - count, samples: [Float](repeating: 0, count: Int(count) * 2))
    }
}
