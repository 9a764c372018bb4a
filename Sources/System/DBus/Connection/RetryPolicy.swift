/// The pauses between attempts to reach a bus: doubled each time, up to half a minute. A value.
package struct RetryPolicy: Hashable, Sendable {
    /// The longest pause.
    package static let longest = Duration.seconds(30)

    private let first: Duration
    private var next: Duration

    /// Makes the policy of a connection that has not failed.
    ///
    /// - Parameter first: The pause after the first failure.
    package init(first: Duration = .seconds(1)) { (self.first, next) = (first, first) }

    /// Returns the pause after a failure.
    package mutating func pause() -> Duration {
        defer { next = min(next * 2, Self.longest) }
        return next
    }

    /// Forgets the failures, after the connection worked.
    package mutating func reset() { next = first }
}
