/// An invalid command line, described in one line with a remedy.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The text for the user.
    public let description: String

    /// Creates an error with a text for the user.
    public init(_ description: String) { self.description = description }
}
