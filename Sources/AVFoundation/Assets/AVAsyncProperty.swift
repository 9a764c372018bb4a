import Foundation

/// The name of something that an object of type `Root` loads, whatever its type.
///
/// The names stand in extensions of this class: `load(.duration)` finds them.
public class AVPartialAsyncProperty<Root>: Hashable, CustomStringConvertible, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// As the older, string-based calls name it.
    let key: String

    init(key: String) { self.key = key }

    /// Whether both name the same property.
    public static func == (left: AVPartialAsyncProperty, right: AVPartialAsyncProperty) -> Bool {
        left.key == right.key
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// The name of the property.
    public var description: String { key }
}

/// The name of something of type `Value` that an object of type `Root` loads.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    // Safe to share: nothing changes after `init`, and the closures are Sendable.

    /// How far the loading is.
    public enum Status {
        /// Nobody has asked for it yet.
        case notYetLoaded
        /// Somebody has, and it is on its way.
        case loading
        /// Here it is.
        case loaded(Value)
        /// It will never come; why, in ``AVFoundationErrorDomain``.
        case failed(NSError)
    }

    /// What has to be done before the value is there; `nil` for an object that has all from the start.
    let loading: @Sendable (Root) -> AssetLoading?
    /// The value; `nil` while it is not there.
    let read: @Sendable (Root) -> Value?

    /// - Parameters:
    ///   - loading: what brings the value.
    ///   - read: gives the value, or `nil` before `loading` is done.
    init(
        _ key: String, loading: @escaping @Sendable (Root) -> AssetLoading?,
        read: @escaping @Sendable (Root) -> Value?
    ) {
        self.loading = loading
        self.read = read
        super.init(key: key)
    }

    /// For an object that has all from the start.
    convenience init(_ key: String, read: @escaping @Sendable (Root) -> Value) {
        self.init(key, loading: { _ in nil }, read: { read($0) })
    }
}
