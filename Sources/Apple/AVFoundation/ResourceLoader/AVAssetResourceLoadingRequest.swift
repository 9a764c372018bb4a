import Foundation
import FoundationNetworking
import Synchronization

/// A request of an asset for bytes, which the delegate of its resource loader fulfils. Callable from any
/// thread.
open class AVAssetResourceLoadingRequest: NSObject, @unchecked Sendable {
    // Safe to share: mutable state has a lock, and the parts have their own locks.

    private struct State {
        var isFinished = false
        var isCancelled = false
        var redirect: URLRequest?
        var response: URLResponse?
    }

    private let state = Mutex(State())
    private let finished: @Sendable (AVAssetResourceLoadingRequest, (any Error)?) -> Void

    init(
        _ request: URLRequest, information: AVAssetResourceLoadingContentInformationRequest?,
        data: AVAssetResourceLoadingDataRequest?,
        finished: @escaping @Sendable (AVAssetResourceLoadingRequest, (any Error)?) -> Void
    ) {
        self.request = request
        (contentInformationRequest, dataRequest) = (information, data)
        self.finished = finished
        super.init()
        data?.owner = self
    }

    /// The requested URL.
    public let request: URLRequest

    /// The content information to fill in before finishing the request; `nil` if already known.
    public let contentInformationRequest: AVAssetResourceLoadingContentInformationRequest?

    /// The requested bytes.
    public let dataRequest: AVAssetResourceLoadingDataRequest?

    /// Whether `finishLoading` was called.
    open var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Whether the asset has cancelled the request.
    open var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Another URL to load the asset from: `http`, `https` or a custom scheme. Takes effect with
    /// ``finishLoading()``.
    open var redirect: URLRequest? {
        get { state.withLock { $0.redirect } }
        set { state.withLock { $0.redirect = newValue } }
    }

    /// The response of a server, if the delegate contacted a server. Stored without effect.
    open var response: URLResponse? {
        get { state.withLock { $0.response } }
        set { state.withLock { $0.response = newValue } }
    }

    /// Finishes the request after delivering all requested bytes or setting ``redirect``. Fewer bytes than
    /// the content length promises make the asset fail. Further calls have no effect.
    open func finishLoading() { finish(nil) }

    /// Fails the request: the asset fails with `error` as underlying error. Further calls have no effect.
    open func finishLoading(with error: (any Error)?) {
        finish(error ?? NSError(domain: NSURLErrorDomain, code: NSURLErrorUnknown))
    }

    private func finish(_ error: (any Error)?) {
        let isFirst = state.withLock { state in
            defer { state.isFinished = true }
            return !state.isFinished && !state.isCancelled
        }
        if isFirst { finished(self, error) }
    }

    /// - Returns: Whether the request was still pending.
    func cancel() -> Bool {
        state.withLock { state in
            guard !state.isFinished, !state.isCancelled else { return false }
            state.isCancelled = true
            return true
        }
    }

    var isOpen: Bool { state.withLock { !$0.isFinished && !$0.isCancelled } }
}

/// A request for information about the content. Callable from any thread.
open class AVAssetResourceLoadingContentInformationRequest: NSObject, @unchecked Sendable {
    // Safe to share: mutable state has a lock.

    struct Content {
        var type: String?
        var length: Int64 = 0
        var givesRanges = false
        var renewalDate: Date?
        var isAllThere = false
    }

    private let lock = Mutex(Content())

    override init() { super.init() }

    var content: Content { lock.withLock { $0 } }

    /// The type of the content, e.g. `public.mp3`. Stored without effect: Tutti detects the type from the
    /// bytes.
    open var contentType: String? {
        get { lock.withLock { $0.type } }
        set { lock.withLock { $0.type = newValue } }
    }

    /// The accepted types; always `nil`, which accepts all types.
    open var allowedContentTypes: [String]? { nil }

    /// The content's length in bytes; 0 if unknown, as for an endless stream. A negative length makes the
    /// asset fail.
    open var contentLength: Int64 {
        get { lock.withLock { $0.length } }
        set { lock.withLock { $0.length = newValue } }
    }

    /// Whether the delegate can deliver any byte range; `false` at first. With `false` the asset requests all
    /// bytes once, from the start, and unplayed bytes wait in a temporary file.
    open var isByteRangeAccessSupported: Bool {
        get { lock.withLock { $0.givesRanges } }
        set { lock.withLock { $0.givesRanges = newValue } }
    }

    /// The date at which the content expires. Stored without effect.
    open var renewalDate: Date? {
        get { lock.withLock { $0.renewalDate } }
        set { lock.withLock { $0.renewalDate = newValue } }
    }

    /// Whether all bytes are available at once. Stored without effect.
    open var isEntireLengthAvailableOnDemand: Bool {
        get { lock.withLock { $0.isAllThere } }
        set { lock.withLock { $0.isAllThere = newValue } }
    }
}

/// A request for a range of bytes. Callable from any thread.
open class AVAssetResourceLoadingDataRequest: NSObject, @unchecked Sendable {
    // Safe to share: mutable state has a lock.

    private struct State {
        var current: Int64
        weak var owner: AVAssetResourceLoadingRequest?
    }

    private let state: Mutex<State>
    private let received: @Sendable (Data) -> Void

    init(offset: Int64, length: Int, wantsAll: Bool, received: @escaping @Sendable (Data) -> Void) {
        (requestedOffset, requestedLength, requestsAllDataToEndOfResource) = (offset, length, wantsAll)
        state = Mutex(State(current: offset))
        self.received = received
        super.init()
    }

    /// Offset of the first requested byte.
    public let requestedOffset: Int64

    /// Number of requested bytes; `Int.max` for all bytes of a content of unknown length.
    public let requestedLength: Int

    /// Whether the request covers all bytes from ``requestedOffset`` on.
    public let requestsAllDataToEndOfResource: Bool

    /// Offset after the last delivered byte.
    open var currentOffset: Int64 { state.withLock { $0.current } }

    /// Delivers the next bytes; call repeatedly until all are delivered. Bytes beyond ``requestedLength`` are
    /// ignored, as are bytes delivered after the request was finished or cancelled.
    open func respond(with data: Data) {
        let isWanted = state.withLock { state in
            guard !data.isEmpty, state.owner?.isOpen == true else { return false }
            let (sum, overflow) = state.current.addingReportingOverflow(Int64(data.count))
            state.current = overflow ? .max : sum
            return true
        }
        if isWanted { received(data) }
    }

    var owner: AVAssetResourceLoadingRequest? {
        get { state.withLock { $0.owner } }
        set { state.withLock { $0.owner = newValue } }
    }
}
