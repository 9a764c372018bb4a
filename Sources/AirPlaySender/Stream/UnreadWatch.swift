import MediaTime

/// How long a speaker has read nothing of the sound that waits for it.
struct UnreadWatch: Sendable {
    private var waiting = 0
    private var since: HostTime?

    /// - Parameter waitingBytes: What the kernel holds of the connection, 0 when the speaker has taken all.
    /// - Returns: The time in which this has not changed; nothing while nothing waits.
    mutating func look(waitingBytes: Int, at now: HostTime) -> Duration {
        guard waitingBytes > 0 else {
            since = nil
            return .zero
        }
        if waitingBytes != waiting { since = nil }
        waiting = waitingBytes
        let start = since ?? now
        since = start
        return now.since(start)
    }
}
