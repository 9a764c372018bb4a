import Synchronization
public import TuttiWeb

/// The progress of a ``MediaReader``'s transfer from the web. Thread-safe.
public final class MediaTransfer: Sendable {
    private struct State {
        var isLive = false
        /// Open sources, the newest last.
        var sources: [Entry] = []
    }

    private struct Entry {
        var source: any ByteSource
        var forget: @Sendable () -> Void
    }

    /// The log of all requests, with totals.
    public let log = TransferLog()
    private let state = Mutex(State())

    init() {}

    /// Whether the stream is live: missed data is lost.
    public internal(set) var isLive: Bool {
        get { state.withLock { $0.isLive } }
        set { state.withLock { $0.isLive = newValue } }
    }

    /// The cached byte ranges of the address, in ascending order: recently read bytes, prefetched bytes, and
    /// those around the reader's previous position. For a playlist, the ranges of the current segment.
    public var loadedByteRanges: [Range<Int64>] { current?.ranges ?? [] }

    /// The number of prefetched bytes.
    public var bytesAhead: Int { current?.bytesAhead ?? 0 }

    /// The offset of the reader's next byte.
    public var bytePosition: Int64 { current?.position ?? 0 }

    /// The length of the address or current segment in bytes; `nil` if the server does not declare it, or
    /// declared it wrongly.
    public var contentLength: Int64? { current?.resource.length }

    /// Whether the server supports range requests.
    public var givesRanges: Bool { current?.resource.givesRanges ?? false }

    private var current: (any ByteSource)? { state.withLock { $0.sources.last?.source } }

    /// - Parameter forget: Runs once, when the source is left.
    func follow(_ source: any ByteSource, forget: @escaping @Sendable () -> Void) {
        state.withLock { $0.sources.append(Entry(source: source, forget: forget)) }
    }

    func leave(_ source: any ByteSource) {
        let entry = state.withLock { state -> Entry? in
            guard let index = state.sources.firstIndex(where: { $0.source === source }) else { return nil }
            return state.sources.remove(at: index)
        }
        entry?.forget()
        source.cancel()
    }
}
