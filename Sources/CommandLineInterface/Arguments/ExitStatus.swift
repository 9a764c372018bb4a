/// The exit status of a subcommand.
public struct ExitStatus: RawRepresentable, Equatable, Sendable {
    /// The number that the shell sees.
    public let rawValue: Int32

    /// Creates a status from the shell's number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The command succeeded.
    public static let success = ExitStatus(rawValue: 0)
    /// The command failed.
    public static let failure = ExitStatus(rawValue: 1)
    /// The command line is invalid.
    public static let usage = ExitStatus(rawValue: 2)
    /// SIGINT ended the command; the shell's own number.
    public static let interrupted = ExitStatus(rawValue: 130)
}
