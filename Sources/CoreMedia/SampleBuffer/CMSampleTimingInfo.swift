/// A number of samples.
public typealias CMItemCount = Int
/// The position of a sample.
public typealias CMItemIndex = Int

/// When a sample is due and how long it lasts.
public struct CMSampleTimingInfo: Hashable, Sendable, BitwiseCopyable {
    /// How long the sample lasts.
    public var duration: CMTime
    /// When it is due.
    public var presentationTimeStamp: CMTime
    /// When it is to be decoded; invalid if that is in the order of presentation.
    public var decodeTimeStamp: CMTime

    /// All times invalid.
    public init() { self = .invalid }

    /// Takes the times as they are.
    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
        self.duration = duration
        self.presentationTimeStamp = presentationTimeStamp
        self.decodeTimeStamp = decodeTimeStamp
    }

    /// All times invalid.
    public static let invalid = CMSampleTimingInfo(
        duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid)
}

/// All times invalid.
@available(*, deprecated, renamed: "CMSampleTimingInfo.invalid")
public let kCMTimingInfoInvalid = CMSampleTimingInfo.invalid

/// The times of all samples of a buffer: none, one that each sample continues, or one for each.
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

    /// The times of one sample, whose index is in range; `nil` without timing.
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

    /// The earliest decoding time.
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

    /// The times of the samples in `range`, which is in bounds.
    func part(_ range: Range<Int>) throws -> SampleTiming {
        let kept = entries.count > 1 ? Array(entries[range]) : info(at: range.lowerBound).map { [$0] } ?? []
        return try SampleTiming(entries: kept, sampleCount: range.count)
    }
}
