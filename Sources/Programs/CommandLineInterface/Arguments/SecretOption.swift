/// A secret of the command line: in a file, or in the option itself, where other users of the machine can see it.
public enum SecretOption {
    /// The options `--password-file` and `--password`.
    ///
    /// - Parameter use: The use of the password, such as "Password for speakers that need one".
    public static func password(_ use: String) -> [OptionDeclaration] {
        [
            passwordFile(use),
            .value(
                "password", "WORD", .text,
                "The password itself, for scripts without secrets:\nothers can see it"),
        ]
    }

    /// The option `--password-file` alone.
    ///
    /// - Parameter use: The use of the password, such as "Password for speakers that need one".
    public static func passwordFile(_ use: String) -> OptionDeclaration {
        .value(
            "password-file", "FILE", .file,
            use + ":\nthe first line of this file, or - for standard input")
    }

    /// Returns the password; `nil` without one. Warns where others can read it.
    ///
    /// - Throws: If the file cannot be read or has no password.
    public static func read(
        _ arguments: ParsedArguments, of declaration: CommandDeclaration
    ) throws(UsageError) -> String? {
        guard let path = arguments.value("password-file") else {
            guard let word = arguments.value("password") else { return nil }
            Console.warning(
                declaration.invocation,
                "other users of this machine can see --password while the command runs; --password-file hides it"
            )
            return word
        }
        guard arguments.value("password") == nil else {
            throw UsageError("--password and --password-file exclude each other")
        }
        let (word, isOpen) = try SecretInput.firstLine(of: path)
        if isOpen {
            Console.warning(
                declaration.invocation,
                "other users can read the password in \(path); `chmod 600 \(path)` prevents that")
        }
        guard let word, !word.isEmpty else {
            throw UsageError(
                "--password-file: there is no password in \(path == "-" ? "standard input" : path)")
        }
        return word
    }
}
