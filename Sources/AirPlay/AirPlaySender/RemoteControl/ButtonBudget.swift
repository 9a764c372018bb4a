import AirPlayMessages
import TuttiMediaTime

/// A rate limit of one speaker's buttons.
///
/// A person presses a few times a second and then listens. A speaker that keeps pressing faster is defective or
/// malicious: it would skip to the end of the playlist. The budget ignores its presses until it has paused.
struct ButtonBudget: Sendable {
    /// The burst of presses, and the rate per second; after a flood the budget recovers only after a pause of
    /// ``penalty`` presses.
    static let burst = 6.0
    static let perSecond = 2.0
    static let penalty = 10.0
    /// The same limits for volume changes: a wheel sends many small steps.
    static let volumeBurst = 30.0
    static let volumesPerSecond = 15.0

    private var buttons: TokenBucket
    private var volumes: TokenBucket

    init(at now: HostTime) {
        buttons = TokenBucket(
            burst: Self.burst, perSecond: Self.perSecond, penalty: Self.penalty, at: now)
        volumes = TokenBucket(
            burst: Self.volumeBurst, perSecond: Self.volumesPerSecond, penalty: Self.penalty, at: now)
    }

    mutating func take(_ command: EventCommand, at now: HostTime) -> Bool {
        if case .mediaRemote = command { return buttons.take(at: now) }
        return volumes.take(at: now)
    }

    mutating func take(_ command: DACPCommand, at now: HostTime) -> Bool {
        switch command {
        // Queries, which some speakers send all the time, cost nothing.
        case .other: true
        case .volume, .volumeUp, .volumeDown, .busy, .preventPlayback: volumes.take(at: now)
        default: buttons.take(at: now)
        }
    }
}
