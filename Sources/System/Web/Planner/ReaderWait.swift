import TuttiMediaTime

/// The wait of a reader for its next bytes, and the supply since it first ran out of data.
struct ReaderWait {
    /// The start of the current wait; `nil` if the reader does not wait.
    private(set) var since: HostTime?
    /// Bytes received since the reader first ran out of data; `nil` if the reader does not starve.
    private var starvation: (since: HostTime, byteCount: Int)?
    /// The time of the reader's last successful read.
    private var readAt: HostTime?

    /// Starts a wait. A reader that consumes data at once continues to starve; one that was busy elsewhere
    /// starts over.
    mutating func begin(at now: HostTime, limits: WebLimits) {
        if since == nil, let readAt, now.since(readAt) > limits.stallLimit { starvation = nil }
        since = since ?? now
        starvation = starvation ?? (now, 0)
    }

    /// Ends the wait: data or a failure is there for the reader.
    mutating func end() { since = nil }

    /// Ends the wait with a successful read.
    mutating func read(at now: HostTime) { (since, readAt) = (nil, now) }

    /// Counts bytes against starvation; a reader that got enough does not starve.
    mutating func receive(_ byteCount: Int, at now: HostTime, limits: WebLimits) {
        guard var starvation else { return }
        starvation.byteCount += byteCount
        let isEnough = starvation.byteCount >= limits.leastBytes
        self.starvation = isEnough ? since.map { _ in (now, 0) } : starvation
    }

    /// Starts the starvation over, because no data was requested until now.
    mutating func forgive() { starvation = nil }

    /// Forgets the wait, because the reader moved.
    mutating func reset() { (since, starvation) = (nil, nil) }

    /// Returns the start of the silence that ``WebLimits/timeLimit`` bounds. A reader that began to wait after
    /// the last progress still gets the full limit.
    func silence(since progress: HostTime) -> HostTime { max(progress, since ?? progress) }

    /// Returns the failures that end the wait unless bytes arrive, silence first.
    func failures(progress: HostTime, limits: WebLimits) -> [(at: HostTime, error: WebError)] {
        guard since != nil else { return [] }
        let silent = silence(since: progress).advanced(by: limits.timeLimit)
        guard let (start, count) = starvation else { return [(silent, .timedOut(limits.timeLimit))] }
        let slow = start.advanced(by: limits.leastTime)
        return [(silent, .timedOut(limits.timeLimit)), (slow, .tooSlow(bytes: count, limits.leastTime))]
    }
}
