import Synchronization
public import Web

/// How the bytes of a ``MediaReader`` come from the web, while it runs. From any thread.
public final class MediaTransfer: Sendable {
    private struct State {
        var isLive = false
        /// The one that began last comes last.
        var sources: [Entry] = []
    }

    private struct Entry {
        var source: any ByteSource
        var forget: @Sendable () -> Void
    }

    /// Every request, with totals.
    public let log = TransferLog()
    private let state = Mutex(State())

    init() {}

    /// Whether what is missed is gone.
    public internal(set) var isLive: Bool {
        get { state.withLock { $0.isLive } }
        set { state.withLock { $0.isLive = newValue } }
    }

    /// Which bytes of the address are at hand, in their order: those that were read a moment ago, those ahead
    /// of the reader, and those around the place where it was before. For a playlist, of the segment that is
    /// read.
    public var loadedByteRanges: [Range<Int64>] { current?.ranges ?? [] }

    /// Bytes that were fetched and not read yet.
    public var bytesAhead: Int { current?.bytesAhead ?? 0 }

    /// The next byte that the reader takes.
    public var bytePosition: Int64 { current?.position ?? 0 }

    /// Bytes of the address, or of the segment that is read; `nil` when the server does not say it, or lied.
    public var contentLength: Int64? { current?.resource.length }

    /// Whether the server gives parts of it.
    public var givesRanges: Bool { current?.resource.givesRanges ?? false }

    private var current: (any ByteSource)? { state.withLock { $0.sources.last?.source } }

    /// - Parameter forget: called once, when the source is left.
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
