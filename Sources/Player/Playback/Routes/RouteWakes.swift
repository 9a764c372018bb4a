import TuttiMediaTime

/// The times at which a route looks after its sound without an event: releases heard sound, fills the room.
struct RouteWakes: Sendable {
    /// Longest pause between two visits while time runs and sound is held; bounds the memory of heard sound.
    static let rest = Duration.seconds(10)

    /// Sound waits because the packet store is full.
    var isWaitingForRoom = false
    private(set) var lastVisit = HostTime(nanoseconds: 0)
    /// One visit after a change while nothing runs.
    private(set) var revisit: HostTime?

    /// Asks for a visit after a pause, so that several changes have one.
    mutating func revisit(after pause: Duration, at now: HostTime) {
        revisit = min(revisit ?? .distantFuture, now.advanced(by: pause))
    }

    mutating func visited(at now: HostTime) { (lastVisit, revisit) = (now, nil) }
}
