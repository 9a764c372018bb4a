/// The key of one audio stream: `shk`. Its description shows no byte of the key.
public struct AudioKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The length of a key.
    public static let byteCount = 32

    /// The key, ``byteCount`` bytes; never log it.
    public let bytes: [UInt8]

    /// Returns `nil` unless there are ``byteCount`` bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A placeholder: the key is never printed.
    public var description: String { "AudioKey(…)" }
    /// A placeholder: the key is never printed.
    public var debugDescription: String { description }
    /// An empty mirror: the key is never dumped.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
