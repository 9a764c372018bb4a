import Foundation

/// The request for the value of an item of ``AVMetadataItem/init(propertiesOf:valueLoadingHandler:)``.
///
/// Answer it once, on any thread, in the handler or later; further answers are ignored. If the last reference to a
/// request goes without an answer, loading fails with ``AVError``. Any thread.
open class AVMetadataItemValueRequest: NSObject, @unchecked Sendable {
    // Safe to share: it has one constant, which may be shared.

    private let lazyValue: LazyMetadataValue

    init(_ lazyValue: LazyMetadataValue) {
        self.lazyValue = lazyValue
        super.init()
    }

    deinit {
        let reason = "the program released the request for the value without an answer"
        lazyValue.finish(.failure(AVError(.unknown, reason: reason)))
    }

    /// The item that the handler was given to; `nil` if only copies of it are left.
    open var metadataItem: AVMetadataItem? { lazyValue.item }

    /// Provides the value: a string, number, date or data object, which must not change afterwards.
    open func respond(value: any NSCopying & NSObjectProtocol) { lazyValue.finish(.success(value)) }

    /// Makes loading fail permanently with this error, which `load(_:isolation:)` throws.
    open func respond(error: any Error) { lazyValue.finish(.failure(error)) }
}

extension AVMetadataItem {
    /// Creates an item whose value is loaded on demand, such as a large picture that may never be shown.
    ///
    /// The first request for the value, by `load(_:isolation:)`, `loadValuesAsynchronously(forKeys:completionHandler:)` or a
    /// deprecated getter, calls the handler, on a thread of the system other than the main one. The handler is called once:
    /// later requests, and those of copies of the item, get the same answer. `status(of:)` does not call it.
    ///
    /// Loading waits without a limit for the program's answer; a task that waits can be cancelled, which does not end the
    /// loading. It fails with the error that the program answers, or with ``AVError/unknown`` once the program has
    /// released the request without an answer. The deprecated getters block the calling thread, and give `nil` after a failure; in
    /// the handler they would wait for the handler itself.
    ///
    /// - Parameters:
    ///   - metadataItem: The item with the identifier, the language and all other properties. Its value is ignored.
    ///   - handler: Answers the request for the value, at once or later.
    @preconcurrency
    public convenience init(
        propertiesOf metadataItem: AVMetadataItem,
        valueLoadingHandler handler: @escaping @Sendable (AVMetadataItemValueRequest) -> Void
    ) {
        let lazyValue = LazyMetadataValue(handler)
        var content = metadataItem.content
        content.provide(lazyValue)
        self.init(content)
        lazyValue.item = self
    }
}
