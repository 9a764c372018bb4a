/// The counts of frames that were due and not heard, and of underruns. Positions as in ``Playout``.
struct OutageCounter {
    private(set) var missingFrames: Int64 = 0
    private(set) var underrunCount = 0
    /// Position up to which missing frames have been counted.
    private var countedTo: Int64?
    /// The position at which the sound ran out; `nil` while there is sound.
    private var outFrom: Int64?
    /// Whether the sound has been out for so long, without a word from the sender, that it is no end.
    private(set) var isOutage = false
    /// Position up to which frames have been counted while nothing came.
    private var silentTo: Int64?
    /// The position at which the line has to continue without a gap; `nil` at a start and after a jump that
    /// the sender wants.
    private var resumePosition: Int64?
    /// The position of the first frame since the last start.
    private var startPosition: Int64?

    /// Permits a jump, because the sender started, moved or paused the line. Sound that has just run out was the
    /// end of what the sender has.
    mutating func permitJump() { (outFrom, isOutage, silentTo, resumePosition) = (nil, false, nil, nil) }

    /// Forgets positions, because the audio to come is not counted against audio before a flush.
    mutating func forgetPositions() {
        permitJump()
        (countedTo, startPosition) = (nil, nil)
    }

    /// Demands that the line continues at a position.
    mutating func demand(_ position: Int64) { resumePosition = position }

    /// Takes back audio that was mixed from a position on and will not be heard.
    mutating func takeBack(from position: Int64) {
        resumePosition = resumePosition.map { min($0, position) }
        guard let silentTo, silentTo > position else { return }
        missingFrames -= silentTo - position
        self.silentTo = position
    }

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
        missingFrames += max(0, min(end, mixed) - max(due, startPosition ?? due, silentTo ?? due))
    }

    /// Counts missing frames and underruns in audio that was mixed.
    ///
    /// Sound that runs out may be the end of what the sender has: counts an underrun once sound follows on the same
    /// line, or after `patience`.
    ///
    /// - Parameter patience: Frames within which a sender that has come to its end pauses, flushes or ends.
    mutating func mix(from: Int64, to: Int64, timeline: DecodedTimeline, patience: Int64 = .max) {
        resumePosition = to
        let counted = max(from, countedTo ?? from)
        if counted < to {
            missingFrames += timeline.missingFrames(in: counted..<to)
            countedTo = to
        }
        guard let end = timeline.end else { return }
        guard end < to else {
            if outFrom != nil, !isOutage { underrunCount += 1 }
            (outFrom, isOutage) = (nil, false)
            return
        }
        let since = outFrom ?? end
        outFrom = since
        if !isOutage {
            guard to - since > patience else { return }
            isOutage = true
            underrunCount += 1
        }
        missingFrames += max(0, to - max(end, silentTo ?? end))
        silentTo = max(to, silentTo ?? to)
    }
}
