import Dispatch
import Synchronization

/// Finds AirPlay receivers on the network and follows their comings, goings and changes.
///
/// Asks the system's mDNS daemon when there is one, else the network itself. Browses for both
/// ``ServiceKind/receivers`` unless told otherwise; ``SpeakerDirectory`` joins the two records of one speaker.
public struct ServiceBrowser: Sendable {
    private let interface: NetworkInterface?
    private let kinds: [ServiceKind]
    private var preferred: [String] = []

    /// - Parameter interface: the only interface to look on; all of them when `nil`.
    public init(interface: NetworkInterface? = nil, kinds: [ServiceKind] = ServiceKind.receivers) {
        self.interface = interface
        self.kinds = kinds
    }

    /// The same search with places for the speakers of these names, however many others are announced.
    public func preferring(_ names: [String]) -> ServiceBrowser {
        var browser = self
        browser.preferred = names
        return browser
    }

    /// Starts a search of its own.
    ///
    /// The stream never ends by itself. The search ends when the task that reads it is cancelled, or
    /// when the stream is let go. A reader that is slow gets only the last state of each service.
    ///
    /// - Parameter settling: how long to collect changes before they are delivered. A service becomes
    ///   known piece by piece, a few milliseconds apart: 200 ms of patience give whole services, none
    ///   the earliest news.
    /// - Throws: ``DiscoveryError/unavailable(operation:code:reason:)`` when nobody can be asked.
    public func events(
        settling: Duration = .zero
    ) async throws(DiscoveryError) -> AsyncStream<DiscoveryEvent> {
        let feed = EventFeed(settling: settling)
        let session = try BrowseSession(interface: interface, kinds: kinds, preferring: preferred) {
            feed.append($0)
        }
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
