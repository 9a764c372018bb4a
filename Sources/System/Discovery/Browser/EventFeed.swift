import Synchronization
import TuttiSystemIO

/// A queue that hands events from the loop's thread to one asynchronous reader.
final class EventFeed: Sendable {
    private struct State {
        /// The events since the reader last took some.
        var pending = PendingEvents()
        /// The events on their way to the reader, the next one last.
        var ready: [DiscoveryEvent] = []
    }

    private let state = Mutex(State())
    private let settling: Duration
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    /// - Parameter settling: The time between the first change and its delivery, to coalesce changes.
    init(settling: Duration) {
        self.settling = settling
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func append(_ events: [DiscoveryEvent]) {
        guard !events.isEmpty else { return }
        state.withLock { state in
            for event in events { state.pending.append(event) }
        }
        wakeUp.yield()
    }

    func finish() { wakeUp.finish() }

    /// Returns the next event; `nil` after ``finish()``.
    func next() async -> DiscoveryEvent? {
        while true {
            if let event = state.withLock({ $0.ready.popLast() }) { return event }
            var iterator = wakeUps.makeAsyncIterator()
            guard await iterator.next() != nil else { return nil }
            // Cancelled only when no reader wants the event any more.
            if settling > .zero { await Task.pause(for: settling) }
            state.withLock { $0.ready = $0.pending.drain().reversed() }
        }
    }
}
