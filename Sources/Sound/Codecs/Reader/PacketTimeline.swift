/// A placement of packets in frames, independent of the container's time unit.
///
/// Within a run of packets the durations add up, so that rounded container times (milliseconds in Matroska)
/// do not move a frame. A jump larger than the rounding error is accepted.
struct PacketTimeline {
    /// The position of the first packet after opening.
    private(set) var firstTimestamp: Int64 = 0
    /// The first packet's duration, if all packets but the last share it.
    var fixedDuration: Int64?
    /// The possible error of a container's time, in frames.
    let tolerance: Int64
    /// The start of the next packet; `nil` if unknown.
    private(set) var position: Int64?
    private let limits: Limits

    /// The largest plausible jumps. Larger jumps come from a damaged container and are ignored, because they
    /// would cause long silence.
    struct Limits: Hashable {
        /// The longest gap, in frames. Recorders leave gaps while a microphone is switched off.
        var hole: Int64 = .max
        /// The longest jump backwards, in frames.
        var back: Int64 = .max
        /// The end of the sound according to the container.
        var end: Int64 = .max
    }

    init(firstTimestamp: Int64, fixedDuration: Int64?, tolerance: Int64, limits: Limits = Limits()) {
        self.firstTimestamp = firstTimestamp
        self.fixedDuration = fixedDuration
        self.tolerance = tolerance
        self.limits = limits
    }

    /// Returns the packet's first frame and advances to its end.
    ///
    /// - Parameter hint: The container's time, in frames from the first audible frame; `nil` if there is
    ///   none.
    mutating func place(hint: Int64?, duration: Int64) -> Int64 {
        let timestamp = self.timestamp(hint: hint)
        position = timestamp &+ duration
        return timestamp
    }

    /// Forgets the position, before a seek.
    mutating func forgetPosition() { position = nil }

    private func timestamp(hint: Int64?) -> Int64 {
        guard let hint else { return position ?? firstTimestamp }
        if let position { return believes(hint &- position, to: hint) ? hint : position }
        // A coarse time after a seek: the packets lie on a grid.
        guard let step = fixedDuration, step > 0, tolerance > 1 else { return hint }
        let distance = Double(hint) - Double(firstTimestamp)
        let count =
            Int64((distance + Double(step) / 2) / Double(step)) - (distance < -Double(step) / 2 ? 1 : 0)
        return firstTimestamp + count * step
    }

    private func believes(_ jump: Int64, to hint: Int64) -> Bool {
        guard jump.magnitude > UInt64(tolerance) else { return false }
        return jump <= limits.hole && jump >= -limits.back && hint <= limits.end
    }
}
