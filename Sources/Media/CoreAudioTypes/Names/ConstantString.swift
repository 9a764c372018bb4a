import Foundation

/// A string object that lives as long as the program, for constants whose address C callers keep.
package final class ConstantString: @unchecked Sendable {
    // Safe to share: the object is an immutable string that nothing changes after `init`.

    /// The string object, the same one each time.
    package let string: NSString

    /// Creates a string object with this text.
    package init(_ text: StaticString) { string = NSString(string: "\(text)") }
}
