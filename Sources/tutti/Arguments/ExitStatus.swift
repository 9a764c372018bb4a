/// What a subcommand ends with.
struct ExitStatus: RawRepresentable, Equatable, Sendable {
    let rawValue: Int32

    /// All went well.
    static let success = ExitStatus(rawValue: 0)
    /// The work could not be done.
    static let failure = ExitStatus(rawValue: 1)
    /// The command line makes no sense.
    static let usage = ExitStatus(rawValue: 2)
    /// Ended by SIGINT, in the shell's own numbers.
    static let interrupted = ExitStatus(rawValue: 130)
}
