import Dispatch

/// How much a route takes, and when it asks for more. Seconds are of sound.
struct RouteDepth: Sendable {
    /// Ready turns false at `high` seconds ahead of what is heard, and true again at `low`; `nil` where what was
    /// packed lies in buffers of speakers and only the backlog counts.
    var marks: (high: Double, low: Double)?
    /// What waits to be packed: at this much ready is false.
    var backlogSeconds: Double
    var backlogBytes: Int
    /// Packed from a time on, a start there has no hole.
    var sufficientSeconds: Double
    /// What is nearer to the playhead while it moves cannot be taken back; speakers have a margin of their own.
    var cutMargin: Double
    /// What is enqueued later than this before its time is not heard, as its packets have a way to go.
    var leastLead: Double
    /// How often the route looks at what was heard.
    var tick: DispatchTimeInterval

    /// Minutes, as far as the speakers take it. A start needs so much that the first packets are there when the
    /// speakers want them.
    static let buffered = RouteDepth(
        marks: nil, backlogSeconds: 6, backlogBytes: 4 << 20, sufficientSeconds: 0.9, cutMargin: 0,
        leastLead: 0.12, tick: .milliseconds(500))

    /// A device of this machine, or one that a sound server reaches for us.
    static let local = RouteDepth(
        marks: (4, 3), backlogSeconds: .infinity, backlogBytes: 64 << 20, sufficientSeconds: 0.5,
        cutMargin: 0.25, leastLead: 0.06, tick: .milliseconds(100))

    /// Speakers, with as little ahead as a device of this machine: what the route is for sounds that are no long ones.
    static let shallow = RouteDepth(
        marks: (4, 3), backlogSeconds: .infinity, backlogBytes: 64 << 20, sufficientSeconds: 0.9,
        cutMargin: 0, leastLead: 0.12, tick: .milliseconds(250))
}
