import Synchronization
import TuttiWeb

/// The progress of a ``MediaReader``'s transfer from the web. Thread-safe.
package final class MediaTransfer: Sendable {
    private struct Entry {
        var source: any ByteSource
        var forget: @Sendable () -> Void
    }

    /// The log of all requests, with totals.
    package let log = TransferLog()
    /// The open sources.
    private let entries = Mutex<[Entry]>([])

    init() {}

    /// - Parameter forget: Runs once, when the source is left.
    func follow(_ source: any ByteSource, forget: @escaping @Sendable () -> Void) {
        entries.withLock { $0.append(Entry(source: source, forget: forget)) }
    }

    func leave(_ source: any ByteSource) {
        let entry = entries.withLock { entries -> Entry? in
            guard let index = entries.firstIndex(where: { $0.source === source }) else { return nil }
            return entries.remove(at: index)
        }
        entry?.forget()
        source.cancel()
    }
}
