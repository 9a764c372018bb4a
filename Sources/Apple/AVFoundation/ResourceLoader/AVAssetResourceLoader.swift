@_exported import FoundationNetworking
import Dispatch
import Foundation
import Synchronization
import TuttiSystemIO
import TuttiWeb

/// A loader through which a program provides the bytes of an asset with a custom URL scheme, e.g.
/// `myapp://song/1`.
///
/// The loader first asks the delegate for content information, then for one range after the other as playback
/// needs them, and for new ranges after a seek. URLs with the schemes `http`, `https` and `file` bypass the
/// loader. Callable from any thread.
open class AVAssetResourceLoader: NSObject, @unchecked Sendable {
    // Safe to share: mutable state has a lock; the loader calls the delegate only on its queue.

    private struct State {
        var receiver = WeakDelegate<any AVAssetResourceLoaderDelegate>(nil)
        var queue: DispatchQueue?
        var preloads = false
        var timeLimit = LoadedSource.usualTimeLimit
        var options = WebOptions()
    }

    private let state = Mutex(State())

    override init() { super.init() }

    /// - Parameters:
    ///   - delegate: Held weakly; set the delegate before the asset is loaded or played.
    ///   - delegateQueue: The serial queue that calls the delegate; `nil` makes the loader create a queue.
    open func setDelegate(
        _ delegate: (any AVAssetResourceLoaderDelegate)?, queue delegateQueue: DispatchQueue?
    ) {
        let receiver = WeakDelegate<any AVAssetResourceLoaderDelegate>(delegate)
        let queue =
            delegate == nil ? nil : delegateQueue ?? DispatchQueue(label: "tutti.resource-loader")
        state.withLock { ($0.receiver, $0.queue) = (receiver, queue) }
    }

    /// The provider of the bytes; held weakly.
    open var delegate: (any AVAssetResourceLoaderDelegate)? { state.withLock { $0.receiver }.delegate }

    /// The queue that calls the delegate; `nil` without a delegate.
    open var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Stored without effect: Tutti has no content keys.
    open var preloadsEligibleContentKeys: Bool {
        get { state.withLock { $0.preloads } }
        set { state.withLock { $0.preloads = newValue } }
    }

    // MARK: For byte sources

    /// Deadline for the next byte of a request, after which the source cancels the request.
    var timeLimit: Duration {
        get { state.withLock { $0.timeLimit } }
        set { state.withLock { $0.timeLimit = newValue } }
    }

    /// Options of requests to servers after a redirect, such as headers.
    var options: WebOptions {
        get { state.withLock { $0.options } }
        set { state.withLock { $0.options = newValue } }
    }

    var hasDelegate: Bool { delegate != nil }

    /// Asks the delegate, on its queue, to fulfil a request.
    ///
    /// - Parameter answer: Called at most once: whether the delegate accepts the request. A request cancelled
    ///   before the delegate's turn gets no answer.
    func ask(_ request: AVAssetResourceLoadingRequest, answer: @escaping @Sendable (Bool) -> Void) {
        guard let queue = delegateQueue else { return answer(false) }
        queue.async { [self] in
            guard !request.isCancelled else { return }
            answer(
                delegate?.resourceLoader(self, shouldWaitForLoadingOfRequestedResource: request) ?? false)
        }
    }

    /// Notifies the delegate that the request was cancelled.
    func notifyCancelled(_ request: AVAssetResourceLoadingRequest) {
        delegateQueue?.async { [self] in delegate?.resourceLoader(self, didCancel: request) }
    }
}

/// The provider of an asset's bytes. The loader calls the delegate on the queue of
/// ``AVAssetResourceLoader/setDelegate(_:queue:)``.
public protocol AVAssetResourceLoaderDelegate: NSObjectProtocol {
    /// Asks whether the delegate will fulfil a request.
    ///
    /// - Returns: `true` if the delegate fulfils the request, now or later, from any thread; `false` makes
    ///   the asset fail.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool

    /// Notifies the delegate that a request was cancelled: after a seek, at the end of playback, or after a
    /// timeout.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest)
}

extension AVAssetResourceLoaderDelegate {
    /// Rejects every request.
    public func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool { false }

    /// Does nothing.
    public func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) {}
}
