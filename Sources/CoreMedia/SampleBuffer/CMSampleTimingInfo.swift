/// A number of samples.
public typealias CMItemCount = Int
/// The index of a sample.
public typealias CMItemIndex = Int

/// The due time, the decode time and the duration of a sample.
public struct CMSampleTimingInfo: Hashable, Sendable, BitwiseCopyable {
    /// The sample's duration.
    public var duration: CMTime
    /// The time at which the sample is due.
    public var presentationTimeStamp: CMTime
    /// The time at which to decode the sample; invalid if samples decode in presentation order.
    public var decodeTimeStamp: CMTime

    /// Creates timing information with every time invalid.
    public init() { self = .invalid }

    /// Creates timing information from its times.
    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
        self.duration = duration
        self.presentationTimeStamp = presentationTimeStamp
        self.decodeTimeStamp = decodeTimeStamp
    }

    /// Timing information with every time invalid.
    public static let invalid = CMSampleTimingInfo(
        duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid)
}

/// Timing information with every time invalid.
@available(*, deprecated, renamed: "CMSampleTimingInfo.invalid")
public let kCMTimingInfoInvalid = CMSampleTimingInfo.invalid

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
