/// One subcommand of the program.
protocol Command: SendableMetatype {
    static var declaration: CommandDeclaration { get }
    /// Does the work; messages for people go to standard error.
    ///
    /// - Throws: a ``UsageError`` for what the declaration cannot check; the program then ends with
    ///   ``ExitStatus/usage``.
    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus
}
