/// The key of one audio stream: `shk`. Its description shows no byte of the key.
package struct AudioKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The length of a key.
    package static let byteCount = 32

    /// The key, ``byteCount`` bytes; never log it.
    package let bytes: [UInt8]

    /// Returns `nil` unless there are ``byteCount`` bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A placeholder: the key is never printed.
    package var description: String { "AudioKey(…)" }
    /// A placeholder: the key is never printed.
    package var debugDescription: String { description }
    /// An empty mirror: the key is never dumped.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
