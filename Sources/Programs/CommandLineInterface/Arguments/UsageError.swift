/// An invalid command line, described in one line with a remedy.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The text for the user.
    public let description: String

    /// The status that the program exits with.
    public let status: ExitStatus

    /// Creates an error with a text for the user.
    public init(_ description: String, status: ExitStatus = .usage) {
        (self.description, self.status) = (description, status)
    }
}
