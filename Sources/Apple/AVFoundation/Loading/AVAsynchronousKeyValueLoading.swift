import CoreMedia
import Foundation

/// The loading state of a value, in the string-based calls.
public enum AVKeyValueStatus: Int, Sendable {
    /// The value has not been requested.
    case unknown = 0
    /// Loading is in progress.
    case loading = 1
    /// The value is available.
    case loaded = 2
    /// Loading failed permanently.
    case failed = 3
    /// Loading was cancelled; the next request starts it again.
    case cancelled = 4
}

/// An object that loads its values on demand.
///
/// Any thread.
public protocol AVAsynchronousKeyValueLoading: NSObjectProtocol {
    /// Returns the loading state of a value without blocking.
    ///
    /// - Parameters:
    ///   - key: The name of the property.
    ///   - outError: Receives the error if the state is `failed` or `cancelled`.
    func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus

    /// Loads values.
    ///
    /// - Parameters:
    ///   - keys: The names of the properties.
    ///   - handler: Called once, on any thread, when loading has succeeded, failed or been cancelled.
    @preconcurrency
    func loadValuesAsynchronously(
        forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)?)
}

extension AVAsynchronousKeyValueLoading {
    /// Returns a value, loading it if necessary; concurrent callers share one attempt.
    ///
    /// - Throws: An ``AVError`` with the cause in words, or the error with which a program has answered an
    ///   ``AVMetadataItemValueRequest``, the same for every later call;
    ///   ``AVError/operationCancelled`` after `cancelLoading()`; `CancellationError` if the task was
    ///   cancelled, which does not stop the attempt.
    public func load<T>(
        _ property: AVAsyncProperty<Self, T>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> T {
        if let value = property.read(self) { return value }
        if let loading = property.loading(self) { try await loading.waitUntilLoaded() }
        guard let value = property.read(self) else { throw AVError(.operationCancelled) }
        return value
    }

    /// Returns the loading state of a value without blocking.
    public func status<T>(of property: AVAsyncProperty<Self, T>) -> AVAsyncProperty<Self, T>.Status {
        if let value = property.read(self) { return .loaded(value) }
        switch property.loading(self)?.loadingState {
        case nil, .idle: return .notYetLoaded
        case .loading: return .loading
        case .failed(let error): return .failed(error as NSError)
        case .loaded:
            // The value arrived between the two checks.
            return property.read(self).map { .loaded($0) } ?? .loading
        }
    }
}
