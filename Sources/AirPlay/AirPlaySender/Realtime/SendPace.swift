import TuttiMediaTime

/// The pace of a realtime stream: a few packets at a time, then one each millisecond.
///
/// A receiver that gets the packets of a second at once loses some of them for good (*reported*).
struct SendPace: Sendable {
    /// The packets that may follow each other at once, which are so many in a usual step.
    static let burst = 4
    static let interval = Duration.milliseconds(1)

    /// The time at which all of the burst may be sent again.
    private var full: HostTime?

    mutating func restart() { full = nil }

    /// Takes leave to send a packet and its copies; `false` if it is too early.
    mutating func take(_ count: Int, at now: HostTime) -> Bool {
        let full = max(self.full ?? now, now)
        guard full.since(now) <= Self.interval * (Self.burst - 1) else { return false }
        self.full = full.advanced(by: Self.interval * count)
        return true
    }

    /// The time at which half a burst may be sent again.
    func next(after now: HostTime) -> HostTime {
        guard let full else { return now }
        return max(now, full.advanced(by: .zero - Self.interval * (Self.burst / 2)))
    }
}
