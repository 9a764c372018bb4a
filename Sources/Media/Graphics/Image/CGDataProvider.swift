import Foundation

/// The bytes of an image.
public final class CGDataProvider: Sendable {
    /// The bytes as a value, which shares its memory with the object of ``data``.
    package let bytes: Data

    /// Creates a provider of the bytes that `data` has now; later changes of `data` have no effect.
    ///
    /// Never returns `nil` here.
    public init?(data: NSData) { bytes = data as Data }

    /// Creates a provider of some bytes.
    package init(_ bytes: Data) { self.bytes = bytes }

    /// The bytes.
    public var data: NSData? { bytes as NSData }
}

extension CGDataProvider: Hashable {
    /// Returns whether both are the same object.
    public static func == (left: CGDataProvider, right: CGDataProvider) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
