/// The counts of frames that were due and not heard, and of underruns. Positions as in ``Playout``.
struct OutageCounter {
    private(set) var missingFrames: Int64 = 0
    private(set) var underrunCount = 0
    /// Position up to which missing frames have been counted.
    private var countedTo: Int64?
    private var hasRunOut = false
    /// The position at which the line has to continue without a gap; `nil` at a start and after a jump that
    /// the sender wants.
    private var resumePosition: Int64?
    /// The position of the first frame since the last start.
    private var startPosition: Int64?

    /// Permits a jump, because the sender started, moved or paused the line.
    mutating func permitJump() { (hasRunOut, resumePosition) = (false, nil) }

    /// Forgets positions, because the audio to come is not counted against audio before a flush.
    mutating func forgetPositions() {
        permitJump()
        (countedTo, startPosition) = (nil, nil)
    }

    /// Demands that the line continues at a position.
    mutating func demand(_ position: Int64) { resumePosition = position }

    /// Takes back audio that was mixed from a position on and will not be heard.
    mutating func takeBack(from position: Int64) { resumePosition = resumePosition.map { min($0, position) } }

    /// Counts audio that the device skipped because nothing was mixed in time, the clock was unknown, or the
    /// line moved too far.
    ///
    /// - Parameters:
    ///   - position: The position from which audio is mixed now.
    ///   - second: The frames of a second.
    ///   - hasMore: Whether packets are waiting to be decoded.
    mutating func start(at position: Int64, second: Int64, timeline: DecodedTimeline, hasMore: Bool) {
        let from = resumePosition
        resumePosition = nil
        // Audio that has not arrived is counted by the packet that ends the outage.
        let end = hasMore ? nil : timeline.end
        if let from, position > from + 1 { missingFrames += max(0, min(position, end ?? position) - from) }
        if from == nil || end == nil || timeline.covers(position) { startPosition = position }
        countedTo = max(position, countedTo ?? position)
        if let counted = countedTo, counted > position + 10 * second { countedTo = position }
    }

    /// Counts audio that was decoded after its device frames had been mixed, and so has been silent.
    mutating func decode(from due: Int64, to end: Int64, mixed: Int64) {
        missingFrames += max(0, min(end, mixed) - max(due, startPosition ?? due))
    }

    /// Counts missing frames and underruns in audio that was mixed.
    mutating func mix(from: Int64, to: Int64, timeline: DecodedTimeline) {
        resumePosition = to
        let counted = max(from, countedTo ?? from)
        if counted < to {
            missingFrames += timeline.missingFrames(in: counted..<to)
            countedTo = to
        }
        let isOut = (timeline.end ?? .min) < to
        if isOut, !hasRunOut, timeline.end != nil { underrunCount += 1 }
        hasRunOut = isOut
    }
}
