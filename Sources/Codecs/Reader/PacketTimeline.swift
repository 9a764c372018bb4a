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

    init(firstTimestamp: Int64, fixedDuration: Int64?, tolerance: Int64) {
        self.firstTimestamp = firstTimestamp
        self.fixedDuration = fixedDuration
        self.tolerance = tolerance
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
        if let position { return (hint &- position).magnitude <= UInt64(tolerance) ? position : hint }
        // A coarse time after a seek: the packets lie on a grid.
        guard let step = fixedDuration, step > 0, tolerance > 1 else { return hint }
        let distance = Double(hint) - Double(firstTimestamp)
        let count =
            Int64((distance + Double(step) / 2) / Double(step)) - (distance < -Double(step) / 2 ? 1 : 0)
        return firstTimestamp + count * step
    }
}
