/// The exit status of a command: one for each kind of failure, with the numbers of BSD's `sysexits.h`.
public struct ExitStatus: RawRepresentable, Hashable, Sendable {
    /// The number that the shell sees.
    public let rawValue: Int32

    /// Creates a status from the shell's number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The command succeeded.
    public static let success = ExitStatus(rawValue: 0)
    /// The command failed for a reason that has no status of its own.
    public static let failure = ExitStatus(rawValue: 1)
    /// The command line is invalid.
    public static let usage = ExitStatus(rawValue: 2)
    /// Nothing in the named media can be played (`EX_DATAERR`).
    public static let badMedia = ExitStatus(rawValue: 65)
    /// A named file, speaker, zone, room or entry does not exist (`EX_NOINPUT`).
    public static let notFound = ExitStatus(rawValue: 66)
    /// A speaker or the service does not answer, or this machine lacks what the command needs (`EX_UNAVAILABLE`).
    public static let unavailable = ExitStatus(rawValue: 69)
    /// Another sender or program uses the speaker, the port or the clock; a later attempt may succeed
    /// (`EX_TEMPFAIL`).
    public static let busy = ExitStatus(rawValue: 75)
    /// The speaker or the service refused (`EX_PROTOCOL`).
    public static let refused = ExitStatus(rawValue: 76)
    /// The speaker needs a password or a pairing, the given one is wrong, or this user lacks a permission
    /// (`EX_NOPERM`).
    public static let noAccess = ExitStatus(rawValue: 77)
    /// The configuration is invalid (`EX_CONFIG`).
    public static let configuration = ExitStatus(rawValue: 78)
    /// SIGINT ended the command; the shell's own number.
    public static let interrupted = ExitStatus(rawValue: 130)

    /// All statuses with their meaning, for manuals.
    public static let meanings: [(status: ExitStatus, text: String)] = [
        (.success, "Success, also if the user ended playback"),
        (.failure, "Any other failure"),
        (.usage, "The command line is invalid"),
        (.badMedia, "None of the named sources can be played"),
        (.notFound, "A named file, speaker, zone, room or entry does not exist"),
        (.unavailable, "A speaker or the service does not answer, or this machine has no such output"),
        (.busy, "Another sender or program uses the speaker, the port or the clock"),
        (.refused, "The speaker or the service refused"),
        (
            .noAccess,
            "A password, a pairing or a permission on this machine is missing, or the given secret is wrong"
        ),
        (.configuration, "The configuration file is invalid"),
        (.interrupted, "Ended by Ctrl-C"),
    ]
}
