import TuttiMediaTime
import TuttiSystemIO

/// The state of one followed clock, for diagnosis.
package struct FollowedClockStatus: Hashable, Sendable {
    /// The address that the clock's messages come from.
    package var address: IPAddress
    /// The clock identity that sends the messages; `nil` before the first.
    package var source: ClockIdentity?
    /// The clock whose time the messages carry; `nil` before the first message.
    package var grandmaster: ClockIdentity?
    /// Whether the clock is this service's own: the sender is in this process.
    package var isOwn: Bool
    /// Whether there is a mapping.
    package var isUsable: Bool
    /// Network time minus host time, nanoseconds; `nil` before it is known.
    package var offset: Int64?
    /// Half the round trip of the quickest messages; `nil` before it is known.
    package var pathDelay: Duration?
    /// The clock's drift against our host clock, ppm; positive when the clock runs faster.
    package var drift: Double
    /// The time since the clock's last message that counted; `nil` before the first.
    package var age: Duration?
    /// The number of Sync messages and answers since the last restart of the estimate.
    package var sampleCount: Int
    /// The number of answered Delay_Req messages.
    package var answerCount: Int
    /// The number of times that the clock was set or that another clock took its place.
    package var restartCount: Int
}
