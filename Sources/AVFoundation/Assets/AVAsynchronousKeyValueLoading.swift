import CoreMedia
import Foundation

/// How far the loading of a value is, in the string-based calls.
public enum AVKeyValueStatus: Int, Sendable {
    /// Nobody has asked for it yet.
    case unknown = 0
    /// It is on its way.
    case loading = 1
    /// It is there.
    case loaded = 2
    /// It will never come.
    case failed = 3
    /// The loading was given up; the next question begins it anew.
    case cancelled = 4
}

/// An object whose values may have to be fetched first.
///
/// Any thread.
public protocol AVAsynchronousKeyValueLoading: NSObjectProtocol {
    /// How far the loading of a value is; never waits.
    ///
    /// - Parameters:
    ///   - key: the property's name.
    ///   - outError: gets the error if the answer is `failed` or `cancelled`.
    func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus

    /// Fetches values.
    ///
    /// - Parameters:
    ///   - keys: the properties' names.
    ///   - handler: called once, on any thread, when all are there, have failed or were given up.
    @preconcurrency
    func loadValuesAsynchronously(
        forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)?)
}

extension AVAsynchronousKeyValueLoading {
    /// A value, fetched if it is not there yet; many who ask at once share one job.
    ///
    /// - Throws: an ``AVError`` that stays the same for ever, with the cause in words; after
    ///   `cancelLoading()` ``AVError/operationCancelled``; `CancellationError` when the task was cancelled,
    ///   which leaves the job to the others.
    public func load<T>(
        _ property: AVAsyncProperty<Self, T>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> T {
        if let value = property.read(self) { return value }
        if let loading = property.loading(self) { _ = try await loading.contents() }
        guard let value = property.read(self) else { throw AVError(.operationCancelled) }
        return value
    }

    /// How far the loading of a value is; never waits.
    public func status<T>(of property: AVAsyncProperty<Self, T>) -> AVAsyncProperty<Self, T>.Status {
        if let value = property.read(self) { return .loaded(value) }
        switch property.loading(self)?.progress {
        case nil, .idle: return .notYetLoaded
        case .loading: return .loading
        case .finished(.failure(let error)): return .failed(error as NSError)
        case .finished(.success):
            // It came between the two questions.
            return property.read(self).map { .loaded($0) } ?? .loading
        }
    }
}
