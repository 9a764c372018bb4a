import Foundation
import FoundationNetworking
import Synchronization

/// A question of an asset for bytes, which the delegate of its resource loader answers. Any thread.
open class AVAssetResourceLoadingRequest: NSObject, @unchecked Sendable {
    // Safe to share: what changes has a lock, and the parts lock for themselves.

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

    /// The address that is wanted.
    public let request: URLRequest

    /// Wanted facts about the content, to be filled in before the request is finished; `nil` where they are known.
    public let contentInformationRequest: AVAssetResourceLoadingContentInformationRequest?

    /// The wanted bytes.
    public let dataRequest: AVAssetResourceLoadingDataRequest?

    /// Whether one of the `finishLoading` calls was made.
    open var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Whether nobody waits for the answer any more.
    open var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Another address to load the asset from, an address of the web or of the program's own; has its effect with
    /// ``finishLoading()``.
    open var redirect: URLRequest? {
        get { state.withLock { $0.redirect } }
        set { state.withLock { $0.redirect = newValue } }
    }

    /// The response of a server, if one was asked; kept and given back.
    open var response: URLResponse? {
        get { state.withLock { $0.response } }
        set { state.withLock { $0.response = newValue } }
    }

    /// All bytes that were wanted were given, or the request was redirected. Fewer bytes than the content's own length
    /// promises make the asset fail. Further calls have no effect.
    open func finishLoading() { finish(nil) }

    /// The bytes cannot be given: the asset fails, with this as its underlying error. Further calls have no effect.
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

    /// - Returns: whether somebody was still to answer it.
    func cancel() -> Bool {
        state.withLock { state in
            guard !state.isFinished, !state.isCancelled else { return false }
            state.isCancelled = true
            return true
        }
    }

    var isOpen: Bool { state.withLock { !$0.isFinished && !$0.isCancelled } }
}

/// Facts about the content that an asset wants to know. Any thread.
open class AVAssetResourceLoadingContentInformationRequest: NSObject, @unchecked Sendable {
    // Safe to share: what changes has a lock.

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

    /// The kind of content, e.g. `public.mp3`. Kept: the kind is always found out from the bytes themselves.
    open var contentType: String? {
        get { lock.withLock { $0.type } }
        set { lock.withLock { $0.type = newValue } }
    }

    /// The kinds that are taken: `nil`, all.
    open var allowedContentTypes: [String]? { nil }

    /// In bytes; 0 where it is not known, as of a stream without an end. A negative length makes the asset fail.
    open var contentLength: Int64 {
        get { lock.withLock { $0.length } }
        set { lock.withLock { $0.length = newValue } }
    }

    /// Whether any range of the bytes can be asked for; `false` at first. Then all is asked for once, from the beginning, and
    /// what is not played yet waits in a temporary file.
    open var isByteRangeAccessSupported: Bool {
        get { lock.withLock { $0.givesRanges } }
        set { lock.withLock { $0.givesRanges = newValue } }
    }

    /// When the content has to be asked for anew; kept and given back.
    open var renewalDate: Date? {
        get { lock.withLock { $0.renewalDate } }
        set { lock.withLock { $0.renewalDate = newValue } }
    }

    /// Whether all bytes can be had at once; kept and given back.
    open var isEntireLengthAvailableOnDemand: Bool {
        get { lock.withLock { $0.isAllThere } }
        set { lock.withLock { $0.isAllThere = newValue } }
    }
}

/// Bytes that an asset wants. Any thread.
open class AVAssetResourceLoadingDataRequest: NSObject, @unchecked Sendable {
    // Safe to share: what changes has a lock.

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

    /// The first byte that is wanted.
    public let requestedOffset: Int64

    /// How many bytes are wanted; `Int.max` for all of a content whose length is not known.
    public let requestedLength: Int

    /// Whether everything from ``requestedOffset`` on is wanted.
    public let requestsAllDataToEndOfResource: Bool

    /// The byte after the last one that was given.
    open var currentOffset: Int64 { state.withLock { $0.current } }

    /// Gives the next bytes, as often as needed until all are given. Bytes beyond ``requestedLength``, and those that come
    /// after the request was finished or cancelled, are not used.
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
