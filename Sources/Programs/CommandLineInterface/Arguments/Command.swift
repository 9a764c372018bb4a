/// A subcommand of the program.
public protocol Command: SendableMetatype {
    /// The command line.
    static var declaration: CommandDeclaration { get }
    /// Runs the subcommand; messages for users go to standard error.
    ///
    /// - Throws: ``UsageError`` for errors that the declaration cannot check; the program then exits with
    ///   ``ExitStatus/usage``.
    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus
}
