/// The depth of a route: high-water and low-water marks, margins and pauses. Seconds are of sound.
struct RouteDepth: Sendable {
    /// Readiness turns false at `high` seconds ahead of the playhead, and true again at `low`. `nil` if
    /// packed sound lies in the speakers' buffers and only the backlog counts.
    var marks: (high: Double, low: Double)?
    /// Backlog limits; readiness is false at either.
    var backlogSeconds: Double
    var backlogBytes: Int
    /// Seconds of packed sound that a start needs to avoid an underrun.
    var sufficientSeconds: Double
    /// Minimum distance, in seconds, of a cut from the moving playhead; 0 for speakers, which apply their own
    /// margin.
    var cutMargin: Double
    /// Minimum lead, in seconds, by which sound must be enqueued to be heard, because its packets need time
    /// to arrive.
    var leastLead: Double
    /// Pause before room is filled that heard sound leaves, so that many packets are released at a time.
    var refill: Duration

    /// Minutes, as far as the speakers' buffers allow. A start needs enough sound that the first packets
    /// arrive before the speakers need them.
    static let buffered = RouteDepth(
        marks: nil, backlogSeconds: 6, backlogBytes: 4 << 20, sufficientSeconds: 0.9, cutMargin: 0,
        leastLead: 0.12, refill: .seconds(1))

    /// A device of this machine, or one behind its sound server.
    static let local = RouteDepth(
        marks: (4, 3), backlogSeconds: .infinity, backlogBytes: 64 << 20, sufficientSeconds: 0.5,
        cutMargin: 0.25, leastLead: 0.06, refill: .milliseconds(100))

    /// Speakers with live sound, which is packed as it comes.
    static let live = RouteDepth(
        marks: nil, backlogSeconds: 6, backlogBytes: 4 << 20, sufficientSeconds: 0, cutMargin: 0,
        leastLead: 0.05, refill: .seconds(1))

    /// Speakers, but only seconds ahead, like a local device: for routes that play short sounds.
    static let shallow = RouteDepth(
        marks: (4, 3), backlogSeconds: .infinity, backlogBytes: 64 << 20, sufficientSeconds: 0.9,
        cutMargin: 0, leastLead: 0.12, refill: .milliseconds(250))
}
