import TuttiMediaTime

/// The distance of one speaker from the line of its group, to correct a chain that is early or late.
///
/// A positive delay makes the speaker play later than the others. A negative one makes it play earlier, for which
/// a start needs more lead.
public struct SpeakerDelay: Hashable, Sendable {
    /// The distance.
    public let duration: Duration

    /// No distance.
    public static let zero = SpeakerDelay(checked: .zero)
    /// The greatest distance in milliseconds, either way. A realtime speaker has hardly more sound ahead.
    public static let limit = 1000

    private init(checked duration: Duration) { self.duration = duration }

    /// Creates a delay of whole or broken milliseconds.
    ///
    /// - Returns: `nil` beyond ``limit``, and for a number that is not finite.
    public init?(milliseconds: Double) {
        guard milliseconds.magnitude <= Double(Self.limit) else { return nil }
        duration = .microseconds(Int64((milliseconds * 1000).rounded()))
    }

    /// The delay in milliseconds.
    public var milliseconds: Double { duration / .milliseconds(1) }

    /// The time by which the speaker plays before the line; zero if it plays later.
    var headroom: Duration { max(.zero, .zero - duration) }

    /// Returns the speaker's own line for a line of the group.
    func applied(to line: FrameLine) -> FrameLine {
        line.moved(to: line.host.advanced(by: duration))
    }

    /// Returns the time on the group's line at which the speaker plays at `time`.
    func undone(at time: HostTime) -> HostTime { time.advanced(by: .zero - duration) }
}
