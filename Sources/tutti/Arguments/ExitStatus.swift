/// The exit status of a subcommand.
struct ExitStatus: RawRepresentable, Equatable, Sendable {
    let rawValue: Int32

    /// The command succeeded.
    static let success = ExitStatus(rawValue: 0)
    /// The command failed.
    static let failure = ExitStatus(rawValue: 1)
    /// The command line is invalid.
    static let usage = ExitStatus(rawValue: 2)
    /// SIGINT ended the command; the shell's own number.
    static let interrupted = ExitStatus(rawValue: 130)
}
