import Dispatch
import Synchronization

/// Finds AirPlay receivers on the network and follows their comings, goings and changes.
///
/// Asks the system's mDNS daemon when there is one, else the network itself. Browses for both
/// ``ServiceKind``s; ``SpeakerDirectory`` joins the two records of one speaker.
public struct ServiceBrowser: Sendable {
    private let interface: NetworkInterface?

    /// - Parameter interface: the only interface to look on; all of them when `nil`.
    public init(interface: NetworkInterface? = nil) {
        self.interface = interface
    }

    /// Starts a search of its own.
    ///
    /// The stream never ends by itself. The search ends when the task that reads it is cancelled, or
    /// when the stream is let go. A reader that is slow gets only the last state of each service.
    ///
    /// - Throws: ``DiscoveryError/unavailable(operation:code:reason:)`` when nobody can be asked.
    public func events() async throws(DiscoveryError) -> AsyncStream<DiscoveryEvent> {
        let feed = EventFeed()
        let session = try BrowseSession(interface: interface) { feed.append($0) }
        let result: Result<Void, DiscoveryError> = await withCheckedContinuation { continuation in
            // Connecting to the daemon waits for the system bus: not on a thread of Swift's pool.
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(DiscoveryError) in try session.start() })
            }
        }
        try result.get()
        let search = RunningSearch(session: session, feed: feed)
        return AsyncStream {
            await search.next()
        } onCancel: {
            search.stop()
        }
    }
}

/// Stops a session once: on request, or when nobody reads it any more.
private final class RunningSearch: Sendable {
    private let session: Mutex<BrowseSession?>
    private let feed: EventFeed

    init(session: BrowseSession, feed: EventFeed) {
        self.session = Mutex(session)
        self.feed = feed
    }

    deinit { stop() }

    func next() async -> DiscoveryEvent? { await feed.next() }

    func stop() {
        feed.finish()
        let stopped = session.withLock { session in
            defer { session = nil }
            return session
        }
        // Joins the loop's thread: not on a thread of Swift's pool.
        if let stopped { DispatchQueue.global().async { stopped.stop() } }
    }
}

/// Hands events from the loop's thread to one asynchronous reader.
private final class EventFeed: Sendable {
    private let pending = Mutex(PendingEvents())
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    init() {
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func append(_ events: [DiscoveryEvent]) {
        guard !events.isEmpty else { return }
        pending.withLock { pending in
            for event in events { pending.append(event) }
        }
        wakeUp.yield()
    }

    func finish() { wakeUp.finish() }

    func next() async -> DiscoveryEvent? {
        while true {
            if let event = pending.withLock({ $0.next() }) { return event }
            var iterator = wakeUps.makeAsyncIterator()
            guard await iterator.next() != nil else { return nil }
        }
    }
}
