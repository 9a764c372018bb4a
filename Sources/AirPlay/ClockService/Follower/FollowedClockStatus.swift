import TuttiMediaTime
import TuttiSystemIO

/// The state of one followed clock, for diagnosis.
public struct FollowedClockStatus: Hashable, Sendable {
    /// The address that the clock's messages come from.
    public var address: IPAddress
    /// The clock identity that sends the messages; `nil` before the first.
    public var source: ClockIdentity?
    /// The clock whose time the messages carry; `nil` before the first message.
    public var grandmaster: ClockIdentity?
    /// Whether the clock is this service's own: the sender is in this process.
    public var isOwn: Bool
    /// Whether there is a mapping.
    public var isUsable: Bool
    /// Network time minus host time, nanoseconds; `nil` before it is known.
    public var offset: Int64?
    /// Half the round trip of the quickest messages; `nil` before it is known.
    public var pathDelay: Duration?
    /// The clock's drift against our host clock, ppm; positive when the clock runs faster.
    public var drift: Double
    /// The time since the clock's last message that counted; `nil` before the first.
    public var age: Duration?
    /// The number of Sync messages and answers since the last restart of the estimate.
    public var sampleCount: Int
    /// The number of answered Delay_Req messages.
    public var answerCount: Int
    /// The number of times that the clock was set or that another clock took its place.
    public var restartCount: Int
}
