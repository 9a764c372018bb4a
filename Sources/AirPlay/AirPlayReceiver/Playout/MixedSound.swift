import TuttiMediaTime

/// The audio that has been mixed for device frames: its positions, its end, and what was missing.
struct MixedSound {
    var history = CursorHistory()
    var outages = OutageCounter()
    /// Frames mixed from packets.
    private(set) var playedFrames: Int64 = 0
    /// The device frame from which the cursor has moved without a jump.
    private var start: Int64?
    /// The position since then up to which there was sound to mix: behind the end of the sound at hand, silence is mixed.
    private var reach: Int64?

    /// Notes that mixing continues at a cursor, after a jump.
    ///
    /// - Parameter second: The frames of a second.
    mutating func begin(at cursor: RenderCursor, second: Int64, _ decoder: StreamDecoder) {
        (start, reach) = (cursor.frame, nil)
        outages.start(
            at: cursor.position, second: second, timeline: decoder.timeline, hasMore: decoder.hasMore)
    }

    /// Notes the audio between two places of the cursor.
    ///
    /// - Parameters:
    ///   - step: The distance between the positions of two device frames.
    ///   - patience: Frames within which a sender that has come to its end pauses, flushes or ends.
    mutating func add(
        from: RenderCursor, to: RenderCursor, step: Double, _ timeline: DecodedTimeline, patience: Int64
    ) {
        history.append(CursorHistory.Part(start: from, count: to.frame - from.frame, step: step))
        if let end = timeline.end { reach = max(reach ?? .min, min(to.position, end)) }
        if to.position > from.position, timeline.holdsPackets(in: from.position..<to.position) {
            playedFrames += to.position - from.position
        }
        outages.mix(from: from.position, to: to.position, timeline: timeline, patience: patience)
    }

    /// Moves the audio from device frame `frame` on to frames later by `delay`.
    mutating func move(from frame: Int64, by delay: Int64) {
        if let start { self.start = start + delay }
        history.move(from: frame, by: delay)
    }

    /// Takes back the audio from a device frame on, which will not be heard.
    mutating func takeBack(from frame: Int64) {
        (start, reach) = (nil, nil)
        if let place = history.cursor(at: frame) { outages.takeBack(from: place.position) }
        history.cut(from: frame)
    }

    /// Forgets the positions after a flush: those of old audio do not apply to new audio.
    mutating func forgetPositions() {
        history = CursorHistory()
        outages.forgetPositions()
    }

    /// Returns the RTP time of the first frame that is not played when the device takes nothing from `frame` on; `nil`
    /// if it has taken nothing of the present run.
    func end(at frame: Int64) -> RTPTime? {
        guard let start, start < frame, let reach, let place = history.cursor(at: frame) else { return nil }
        let position = min(place.position + (place.fraction < 0.5 ? 0 : 1), reach)
        return RTPTime(rawValue: UInt32(truncatingIfNeeded: position))
    }
}
