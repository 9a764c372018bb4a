import Dispatch
import Synchronization

/// A browser that finds AirPlay receivers on the network and follows their changes.
///
/// Asks the system's mDNS daemon if there is one, else the network itself. Browses for both
/// ``ServiceKind/receivers`` by default; ``SpeakerDirectory`` joins the two records of one speaker.
package struct ServiceBrowser: Sendable {
    private let interface: NetworkInterface?
    private let kinds: [ServiceKind]
    private var preferred: [String] = []

    /// - Parameter interface: The only interface to search; all interfaces if `nil`.
    package init(interface: NetworkInterface? = nil, kinds: [ServiceKind] = ServiceKind.receivers) {
        self.interface = interface
        self.kinds = kinds
    }

    /// Returns the same search with capacity reserved for speakers of these names, however many others are
    /// announced.
    package func preferring(_ names: [String]) -> ServiceBrowser {
        var browser = self
        browser.preferred = names
        return browser
    }

    /// Starts an independent search.
    ///
    /// The stream never ends on its own. The search ends when the reading task is cancelled, or when the
    /// stream is released. A slow reader gets only the last state of each service.
    ///
    /// - Parameter settling: The time to coalesce changes before delivery. A service becomes known piece by
    ///   piece, a few milliseconds apart: 200 ms give whole services, zero gives the earliest events.
    /// - Throws: ``DiscoveryError/unavailable(operation:code:reason:)`` if neither a daemon nor the network
    ///   can be asked.
    package func events(
        settling: Duration = .zero
    ) async throws(DiscoveryError) -> AsyncStream<DiscoveryEvent> {
        let feed = EventFeed(settling: settling)
        let session = try BrowseSession(interface: interface, kinds: kinds, preferring: preferred) {
            feed.append($0)
        }
        let result: Result<Void, DiscoveryError> = await withCheckedContinuation { continuation in
            // Connecting to the daemon blocks on the system bus: not on a thread of Swift's pool.
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

/// A search that stops its session once: on request, or when no reader is left.
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
        // Joining the loop's thread blocks: not on a thread of Swift's pool.
        if let stopped { DispatchQueue.global().async { stopped.stop() } }
    }
}
