extension AudioStreamBasicDescription {
    /// Returns the duration of `frames`; invalid unless the sample rate is positive.
    package func duration(ofFrames frames: Int64) -> CMTime {
        guard mSampleRate.isFinite, mSampleRate > 0 else { return .invalid }
        if let scale = Int32(exactly: mSampleRate) { return CMTime(value: frames, timescale: scale) }
        return CMTime(seconds: Double(frames) / mSampleRate, preferredTimescale: 1_000_000_000)
    }
}
