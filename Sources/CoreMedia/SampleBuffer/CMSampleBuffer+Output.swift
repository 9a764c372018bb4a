/// What the attachments say about the output: how much is cut off, and how fast it is played.
struct OutputEdits: Sendable {
    var trimStart = CMTime.zero
    var trimEnd = CMTime.zero
    var speed = 1.0
    var isReversed = false

    /// The length that is heard of `duration`, at least zero.
    func outputDuration(of duration: CMTime) -> CMTime {
        guard duration.isNumeric else { return duration }
        let kept = max(.zero, duration - trimStart - trimEnd)
        return scaled(kept)
    }

    func scaled(_ time: CMTime) -> CMTime { speed == 1 ? time : time.multiplied(by: 1 / speed) }
}

extension CMSampleBuffer {
    /// When the first sample that is heard is due: the time that was set, or else the presentation time
    /// moved by the trim at the start.
    ///
    /// Played in reverse, the end comes first: presentation time + duration − trim at the end.
    public var outputPresentationTimeStamp: CMTime {
        let (explicit, edits) = withState { ($0.explicitOutputTime, $0.edits) }
        if let explicit { return explicit }
        if edits.isReversed { return presentationTimeStamp + duration - edits.trimEnd }
        return edits.trimStart == .zero ? presentationTimeStamp : presentationTimeStamp + edits.trimStart
    }

    /// The decoding time moved as far as the output time is from the presentation time.
    public var outputDecodeTimeStamp: CMTime {
        let time = decodeTimeStamp
        return time.isNumeric ? time + (outputPresentationTimeStamp - presentationTimeStamp) : time
    }

    /// The length that is heard: duration without both trims, by the speed.
    public var outputDuration: CMTime { withState { $0.edits }.outputDuration(of: duration) }

    /// Sets when this buffer is due; `.invalid` goes back to the computed time.
    ///
    /// This is how a play queue moves each item to its place on one timeline.
    public func setOutputPresentationTimeStamp(_ time: CMTime) throws {
        try withState { state in
            guard state.isValid else { throw Error.invalidated }
            state.explicitOutputTime = time.isValid ? time : nil
        }
    }

    /// The timing entries, moved to the output time and by the speed.
    public func outputSampleTimingInfos() throws -> [CMSampleTimingInfo] {
        let start = outputPresentationTimeStamp
        let edits = withState { $0.edits }
        return try sampleTimingInfos().map { info in
            CMSampleTimingInfo(
                duration: edits.scaled(info.duration),
                presentationTimeStamp: start
                    + edits.scaled(info.presentationTimeStamp - presentationTimeStamp),
                decodeTimeStamp: info.decodeTimeStamp.isNumeric
                    ? start + edits.scaled(info.decodeTimeStamp - presentationTimeStamp) : .invalid)
        }
    }

    /// How much decoded sound is dropped at each end; zero without the attachments.
    package var trims: (start: CMTime, end: CMTime) { withState { ($0.edits.trimStart, $0.edits.trimEnd) } }

    /// How many times faster than in its own time the buffer is heard.
    package var speedMultiplier: Double { withState { $0.edits.speed } }

    /// Whether the buffer is heard from its end to its start.
    package var isReversed: Bool { withState { $0.edits.isReversed } }
}
