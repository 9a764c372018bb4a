import AirPlayMessages
import MediaTime

/// How often one speaker's buttons count.
///
/// A person presses a few times a second and then listens. A speaker that goes on faster has a defect, or means harm: it
/// would take a list of tracks to its end. Nothing it presses counts until it has paused.
struct ButtonBudget: Sendable {
    /// Presses at once, and a second in the long run; a flood is over for this budget after a pause of
    /// ``penalty`` presses.
    static let burst = 6.0
    static let perSecond = 2.0
    static let penalty = 10.0
    /// The same for volumes, which a wheel turns in many small steps.
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
        // Questions, which some speakers ask all the time, press nothing.
        case .other: true
        case .volume, .volumeUp, .volumeDown, .busy, .preventPlayback: volumes.take(at: now)
        default: buttons.take(at: now)
        }
    }
}
