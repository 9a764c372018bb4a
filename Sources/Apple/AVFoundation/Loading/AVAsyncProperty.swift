import Foundation

/// A property that an object of type `Root` loads, without the type of its value.
///
/// Extensions of this class declare the properties, so that `load(.duration)` finds them.
public class AVPartialAsyncProperty<Root>: Hashable, CustomStringConvertible, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The name of the property in the string-based calls.
    let key: String

    init(key: String) { self.key = key }

    /// Returns whether both name the same property.
    public static func == (left: AVPartialAsyncProperty, right: AVPartialAsyncProperty) -> Bool {
        left.key == right.key
    }

    /// Hashes the name of the property.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// The name of the property.
    public var description: String { key }
}

/// A property of type `Value` that an object of type `Root` loads.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    // Safe to share: nothing changes after `init`, and the closures are Sendable.

    /// The loading state of a property.
    public enum Status {
        /// The value has not been requested.
        case notYetLoaded
        /// Loading is in progress.
        case loading
        /// The value is available.
        case loaded(Value)
        /// Loading failed with an error of ``AVFoundationErrorDomain``, or with the error that a program has given.
        case failed(NSError)
    }

    /// The loading that provides the value; `nil` for an object that has all values from the start.
    let loading: @Sendable (Root) -> (any ValueLoading)?
    /// The value; `nil` until it is loaded.
    let read: @Sendable (Root) -> Value?

    /// - Parameters:
    ///   - loading: Returns the loading that provides the value.
    ///   - read: Returns the value, or `nil` before loading has succeeded.
    init(
        _ key: String, loading: @escaping @Sendable (Root) -> (any ValueLoading)?,
        read: @escaping @Sendable (Root) -> Value?
    ) {
        self.loading = loading
        self.read = read
        super.init(key: key)
    }

    /// Creates a property of an object that has all values from the start.
    convenience init(_ key: String, read: @escaping @Sendable (Root) -> Value) {
        self.init(key, loading: { _ in nil }, read: { read($0) })
    }
}
