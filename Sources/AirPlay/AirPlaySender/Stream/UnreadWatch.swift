import TuttiMediaTime

/// A monitor of the time for which a speaker has read none of the sound sent to it.
struct UnreadWatch: Sendable {
    private var waiting = 0
    private var since: HostTime?

    /// - Parameter waitingBytes: The unread bytes of the connection in the kernel; 0 when the speaker has read all.
    /// - Returns: The time for which `waitingBytes` has not changed; zero while nothing waits.
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
