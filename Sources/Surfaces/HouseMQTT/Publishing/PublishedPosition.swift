import TuttiHouse

/// The two clocks at one moment.
struct Moment: Hashable, Sendable {
    /// Unix time in seconds, which positions have.
    var unix: Double
    /// The monotonic time, by which intervals are measured.
    var instant: ContinuousClock.Instant
}

/// The position of a zone that a broker has, and the rule for the next one.
struct PublishedPosition: Hashable, Sendable {
    /// The shortest time between two positions of a zone, if the second one was unexpected.
    static let shortest = Duration.seconds(1)
    /// The longest time between two positions of a zone that plays on as expected.
    static let longest = Duration.seconds(10)
    /// Seconds that the position may differ from what a subscriber calculates.
    private static let tolerance = 1.0

    /// Seconds in the current entry.
    let position: Double
    /// The Unix time of the position.
    let time: Double
    private let speed: Double
    private let published: ContinuousClock.Instant

    /// Makes the position that is to be published now.
    init(_ zone: ZoneSnapshot, at moment: Moment) {
        speed = Self.speed(zone)
        // Clocks that were set back, or positions beyond the end, must not show.
        let passed = speed > 0 ? min(max(moment.unix - zone.positionTime, 0), 86_400) : 0
        let now = zone.position + passed * speed
        position = max(0, min(now, zone.current?.track.duration ?? .infinity))
        time = zone.positionTime + passed
        published = moment.instant
    }

    private static func speed(_ zone: ZoneSnapshot) -> Double { zone.state == .playing ? zone.rate : 0 }

    /// Returns when the zone's position is to be published; `nil` if subscribers can calculate it.
    func deadline(for zone: ZoneSnapshot, at moment: Moment) -> ContinuousClock.Instant? {
        let now = PublishedPosition(zone, at: moment)
        let expected = min(
            position + (now.time - time) * speed, zone.current?.track.duration ?? .infinity)
        if now.speed != speed || abs(now.position - expected) > Self.tolerance {
            return published + Self.shortest
        }
        return speed > 0 ? published + Self.longest : nil
    }
}
