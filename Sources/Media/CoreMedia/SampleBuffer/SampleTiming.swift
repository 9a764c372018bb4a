/// The times of all samples of a buffer: none, one entry that each sample continues, or one entry for each.
struct SampleTiming: Sendable {
    let entries: [CMSampleTimingInfo]
    let sampleCount: Int

    init(entries: [CMSampleTimingInfo], sampleCount: Int) throws {
        guard entries.count <= 1 || entries.count == sampleCount else {
            throw CMSampleBuffer.Error.invalidEntryCount
        }
        self.entries = entries
        self.sampleCount = sampleCount
    }

    /// Returns the times of the sample at a valid index; `nil` without timing.
    func info(at index: Int) -> CMSampleTimingInfo? {
        if entries.count > 1 { return entries[index] }
        guard var info = entries.first else { return nil }
        guard index > 0 else { return info }
        let offset = info.duration.repeated(Int64(index))
        info.presentationTimeStamp = info.presentationTimeStamp + offset
        if info.decodeTimeStamp.isNumeric { info.decodeTimeStamp = info.decodeTimeStamp + offset }
        return info
    }

    /// Returns the times of the sample at any index.
    func checkedInfo(at index: Int) throws -> CMSampleTimingInfo {
        guard index >= 0, index < sampleCount else { throw CMSampleBuffer.Error.sampleIndexOutOfRange }
        guard let info = info(at: index) else { throw CMSampleBuffer.Error.bufferHasNoSampleTimingInfo }
        return info
    }

    /// Returns the entries if there are any.
    func knownEntries() throws -> [CMSampleTimingInfo] {
        if entries.isEmpty { throw CMSampleBuffer.Error.bufferHasNoSampleTimingInfo }
        return entries
    }

    /// The earliest presentation time.
    var presentationTimeStamp: CMTime { earliest(\.presentationTimeStamp) }

    /// The earliest decode time.
    var decodeTimeStamp: CMTime { earliest(\.decodeTimeStamp) }

    /// The sum of all durations.
    var duration: CMTime {
        guard let first = entries.first else { return .invalid }
        if entries.count == 1 { return first.duration.repeated(Int64(sampleCount)) }
        return entries.dropFirst().reduce(first.duration) { $0 + $1.duration }
    }

    private func earliest(_ time: KeyPath<CMSampleTimingInfo, CMTime>) -> CMTime {
        guard let first = entries.first else { return .invalid }
        return entries.dropFirst().reduce(first[keyPath: time]) { min($0, $1[keyPath: time]) }
    }

    /// Returns the times of the samples in `range`, which must be in bounds.
    func part(_ range: Range<Int>) throws -> SampleTiming {
        let kept = entries.count > 1 ? Array(entries[range]) : info(at: range.lowerBound).map { [$0] } ?? []
        return try SampleTiming(entries: kept, sampleCount: range.count)
    }
}

extension SampleTiming {
    /// Creates the times of packets that follow each other from `start` on.
    ///
    /// One entry stands for all packets unless their frame counts differ.
    init(
        packets: [AudioStreamPacketDescription], in description: AudioStreamBasicDescription,
        from start: CMTime, sampleCount: Int
    ) throws {
        let usual = Int64(description.mFramesPerPacket)
        let vary = packets.contains {
            $0.mVariableFramesInPacket != 0 && Int64($0.mVariableFramesInPacket) != usual
        }
        guard vary else {
            let duration = description.duration(ofFrames: usual)
            guard duration.isValid, usual > 0 else { throw CMSampleBuffer.Error.invalidMediaFormat }
            let entry = CMSampleTimingInfo(
                duration: duration, presentationTimeStamp: start, decodeTimeStamp: .invalid)
            try self.init(entries: [entry], sampleCount: sampleCount)
            return
        }
        var frames: Int64 = 0
        let entries = try packets.map { packet in
            let own = packet.mVariableFramesInPacket
            let duration = description.duration(ofFrames: own == 0 ? usual : Int64(own))
            guard duration.isValid else { throw CMSampleBuffer.Error.invalidMediaFormat }
            defer { frames += own == 0 ? usual : Int64(own) }
            return CMSampleTimingInfo(
                duration: duration, presentationTimeStamp: start + description.duration(ofFrames: frames),
                decodeTimeStamp: .invalid)
        }
        try self.init(entries: entries, sampleCount: sampleCount)
    }
}
