/// The time before the next attempt to connect: doubles from a second to a minute, and returns to a second
/// after a connection that lasted.
struct ReconnectDelay: Hashable, Sendable {
    static let shortest = Duration.seconds(1)
    static let longest = Duration.seconds(60)
    /// The life of a connection that counts as a success. A broker that accepts and then hangs up must not be
    /// called each second.
    static let lasting = Duration.seconds(30)

    private var following = shortest

    /// Returns the next delay.
    ///
    /// - Parameters:
    ///   - connected: The life of the last connection; `nil` if there was none.
    ///   - jitter: A random number, 0 ..< 1. It shortens the delay by up to a quarter, so that the clients of
    ///     a broker that comes back do not call all at once.
    mutating func next(after connected: Duration?, jitter: Double) -> Duration {
        if let connected, connected >= Self.lasting { following = Self.shortest }
        let now = following
        following = min(now * 2, Self.longest)
        return now * (1 - 0.25 * min(max(jitter, 0), 1))
    }
}
