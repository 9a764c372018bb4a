public import MediaTime
public import SystemIO

/// What is known of one followed clock, for diagnosis.
public struct FollowedClockStatus: Hashable, Sendable {
    /// Where its messages come from.
    public var address: IPAddress
    /// Who sends them; `nil` before the first.
    public var source: ClockIdentity?
    /// The clock that they tell the time of; `nil` before the first message.
    public var grandmaster: ClockIdentity?
    /// It is this service's own: the sender is in this process.
    public var isOwn: Bool
    /// There is a mapping.
    public var isUsable: Bool
    /// Network time minus host time, nanoseconds; `nil` before it is known.
    public var offset: Int64?
    /// Half the round trip of the quickest messages; `nil` before it is known.
    public var pathDelay: Duration?
    /// How much faster than ours it runs, in millionths.
    public var drift: Double
    /// Since its last message that counted; `nil` before the first.
    public var age: Duration?
    /// Sync messages and answers since it was taken up.
    public var sampleCount: Int
    /// Answered questions.
    public var answerCount: Int
    /// How often it was found set, or another.
    public var restartCount: Int
}
