/// The key of one audio stream: `shk`. Printing it shows no byte of it.
public struct AudioKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    public static let byteCount = 32

    /// ``byteCount`` bytes; for the cipher and the wire, never for a log.
    public let bytes: [UInt8]

    /// `nil` unless there are 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    public var description: String { "AudioKey(…)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
