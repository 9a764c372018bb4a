extension CMSampleBuffer {
    /// The time at which the first audible sample is due: the time that was set, or else the presentation
    /// time plus the trim at the start.
    ///
    /// In reverse, the end comes first: presentation time + duration − trim at the end.
    public var outputPresentationTimeStamp: CMTime {
        let (explicit, edits) = withState { ($0.explicitOutputTime, $0.edits) }
        return explicit ?? edits.outputTime(from: presentationTimeStamp, lasting: duration)
    }

    /// The decode time, moved as far as the output time is from the presentation time.
    public var outputDecodeTimeStamp: CMTime {
        let time = decodeTimeStamp
        return time.isNumeric ? time + (outputPresentationTimeStamp - presentationTimeStamp) : time
    }

    /// The audible length: the duration without both trims, divided by the speed.
    public var outputDuration: CMTime { withState { $0.edits }.outputDuration(of: duration) }

    /// Sets the time at which this buffer is due; `.invalid` restores the computed time.
    ///
    /// A play queue places each item on one timeline with this method.
    public func setOutputPresentationTimeStamp(_ time: CMTime) throws {
        try withState { try $0.setOutputTime(time) }
    }

    /// Returns the timing entries, moved to the output time and scaled by the speed.
    public func outputSampleTimingInfos() throws -> [CMSampleTimingInfo] {
        let start = outputPresentationTimeStamp
        let edits = withState { $0.edits }
        return try sampleTimingInfos().map { edits.moved($0, from: presentationTimeStamp, to: start) }
    }

    /// The decoded sound to trim at each end; zero without the attachments.
    package var trims: (start: CMTime, end: CMTime) { withState { ($0.edits.trimStart, $0.edits.trimEnd) } }

    /// The speed of the buffer relative to its own time; 2 plays twice as fast.
    package var speedMultiplier: Double { withState { $0.edits.speed } }

    /// Whether the buffer plays in reverse.
    package var isReversed: Bool { withState { $0.edits.isReversed } }
}
