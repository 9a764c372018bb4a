@_exported import FoundationNetworking
import Dispatch
import Foundation
import Synchronization
import Web

/// Lets a program provide the bytes of an asset whose address is of a kind of the program's own, e.g. `myapp://song/1`.
///
/// The delegate is asked for what it can give, then for one range after the other as playing needs them, and again wherever
/// a seek goes. Addresses that begin with `http`, `https` or `file` never come here. Any thread.
open class AVAssetResourceLoader: NSObject, @unchecked Sendable {
    // Safe to share: what changes has a lock; the delegate is called on its queue only.

    private struct Receiver: @unchecked Sendable { weak var delegate: (any AVAssetResourceLoaderDelegate)? }

    private struct State {
        var receiver = Receiver()
        var queue: DispatchQueue?
        var preloads = false
        var timeLimit = LoadedSource.usualTimeLimit
        var options = WebOptions()
    }

    private let state = Mutex(State())

    override init() { super.init() }

    /// - Parameters:
    ///   - delegate: held weakly; to be set before the asset is loaded or played.
    ///   - delegateQueue: a serial queue for its calls; with `nil` the loader has one of its own.
    open func setDelegate(
        _ delegate: (any AVAssetResourceLoaderDelegate)?, queue delegateQueue: DispatchQueue?
    ) {
        let receiver = Receiver(delegate: delegate)
        let queue =
            delegate == nil ? nil : delegateQueue ?? DispatchQueue(label: "tutti.resource-loader")
        state.withLock { ($0.receiver, $0.queue) = (receiver, queue) }
    }

    /// The provider of the bytes; held weakly.
    open var delegate: (any AVAssetResourceLoaderDelegate)? { state.withLock { $0.receiver }.delegate }

    /// The queue on which the delegate is called; `nil` without one.
    open var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Kept and given back: nothing here has content keys.
    open var preloadsEligibleContentKeys: Bool {
        get { state.withLock { $0.preloads } }
        set { state.withLock { $0.preloads = newValue } }
    }

    // MARK: For the sources

    /// The time without a byte after which a request is cancelled.
    var timeLimit: Duration {
        get { state.withLock { $0.timeLimit } }
        set { state.withLock { $0.timeLimit = newValue } }
    }

    /// Request headers for servers that a request is redirected to.
    var options: WebOptions {
        get { state.withLock { $0.options } }
        set { state.withLock { $0.options = newValue } }
    }

    var hasDelegate: Bool { delegate != nil }

    /// Asks the delegate, on its queue.
    ///
    /// - Parameter answer: called once there: whether the delegate loads it.
    func ask(_ request: AVAssetResourceLoadingRequest, answer: @escaping @Sendable (Bool) -> Void) {
        guard let queue = delegateQueue else { return answer(false) }
        queue.async { [self] in
            guard !request.isCancelled else { return }
            answer(
                delegate?.resourceLoader(self, shouldWaitForLoadingOfRequestedResource: request) ?? false)
        }
    }

    /// Tells the delegate that nobody waits any more.
    func tellCancelled(_ request: AVAssetResourceLoadingRequest) {
        delegateQueue?.async { [self] in delegate?.resourceLoader(self, didCancel: request) }
    }
}

/// The provider of an asset's bytes. All calls come on the queue that ``AVAssetResourceLoader/setDelegate(_:queue:)`` got.
public protocol AVAssetResourceLoaderDelegate: NSObjectProtocol {
    /// Bytes are wanted.
    ///
    /// - Returns: `true` where the delegate answers the request, now or later, from any thread; with `false` the asset fails.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool

    /// Cancels the request: after a seek, at the end of playing, or when no answer came in time.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest)
}

extension AVAssetResourceLoaderDelegate {
    /// Answers no request.
    public func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool { false }

    /// Does nothing.
    public func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) {}
}

extension AVURLAsset {
    /// The loader of an address of the program's own kind. Always the same object.
    public var resourceLoader: AVAssetResourceLoader { source.loader ?? AVAssetResourceLoader() }
}
