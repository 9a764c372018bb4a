/// A value that holds a secret: printing, interpolating or dumping it shows only its type.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The type's name and no content.
    public var description: String { "\(Self.self)(redacted)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
