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
