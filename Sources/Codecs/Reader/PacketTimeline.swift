/// Gives every packet its place in frames, though containers count in their own units.
///
/// Inside a run of packets the durations are added up, so that rounded container times (milliseconds
/// in Matroska) do not move a frame; a jump larger than such rounding is believed.
struct PacketTimeline {
    /// Of the packet that was placed first after opening.
    private(set) var firstTimestamp: Int64 = 0
    /// Of the same packet, if all others last as long.
    var fixedDuration: Int64?
    /// How far a container's time may be from the truth, in frames.
    let tolerance: Int64
    /// Where the next packet begins, if the last one is known.
    private(set) var position: Int64?
    private let limits: Limits

    /// Jumps beyond these are a damaged container's, and are not believed: nobody would hear anything in between.
    struct Limits: Hashable {
        /// Frames of a hole. Recorders leave out the time in which a microphone is switched off.
        var hole: Int64 = .max
        /// Frames back.
        var back: Int64 = .max
        /// Where the sound ends for all that the container says.
        var end: Int64 = .max
    }

    init(firstTimestamp: Int64, fixedDuration: Int64?, tolerance: Int64, limits: Limits = Limits()) {
        self.firstTimestamp = firstTimestamp
        self.fixedDuration = fixedDuration
        self.tolerance = tolerance
        self.limits = limits
    }

    /// The packet's true first frame; moves on to its end.
    ///
    /// - Parameter hint: The container's time, in frames, 0 at the first audible frame.
    mutating func place(hint: Int64?, duration: Int64) -> Int64 {
        let timestamp = self.timestamp(hint: hint)
        position = timestamp &+ duration
        return timestamp
    }

    /// The next packet is somewhere else.
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
