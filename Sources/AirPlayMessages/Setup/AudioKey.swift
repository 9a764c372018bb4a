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

    public var description: String { "AudioKey(…)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
