/// A value that holds a secret: printing, interpolating or dumping it shows only its type.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The type's name and no content.
    package var description: String { "\(Self.self)(redacted)" }

    /// The same as ``description``.
    package var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows nothing either.
    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
