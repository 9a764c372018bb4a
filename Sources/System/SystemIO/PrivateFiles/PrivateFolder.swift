import Glibc

/// A folder that only its owner may access.
package struct PrivateFolder: Sendable {
    /// The path of the folder.
    package let path: String

    /// Names a folder; does not touch it.
    package init(_ path: String) { self.path = path }

    /// Creates the folder and its missing parents with mode 0700, and revokes other users' access to the
    /// folder.
    ///
    /// - Returns: Whether other users had access before.
    package func prepare() throws(PrivateFileError) -> Bool {
        try Self.makeAll(path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { throw PrivateFileError(failed: "open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw PrivateFileError(failed: "stat", path) }
        guard status.st_uid == geteuid() else { throw PrivateFileError(path, "belongs to another user") }
        guard status.st_mode & 0o077 != 0 else { return false }
        guard fchmod(descriptor, 0o700) == 0 else { throw PrivateFileError(failed: "chmod", path) }
        return true
    }

    private static func makeAll(_ path: String) throws(PrivateFileError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) == 0 || errno == EEXIST || errno == EROFS || errno == EACCES else {
                throw PrivateFileError(failed: "mkdir", made)
            }
        }
    }

    /// Returns a folder below one of the XDG base directories.
    ///
    /// - Parameters:
    ///   - variable: The variable that names the base directory, e.g. `XDG_STATE_HOME`.
    ///   - usual: The base directory below `HOME` without that variable, e.g. `.local/state`.
    ///   - path: The folder below the base directory.
    /// - Returns: `nil` if neither variable is an absolute path; the XDG specification says to ignore relative
    ///   ones.
    package static func below(
        _ variable: String, or usual: String, _ path: String, environment: [String: String]
    ) -> PrivateFolder? {
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let base = absolute(variable) ?? absolute("HOME").map { "\($0)/\(usual)" }
        return base.map { PrivateFolder("\($0)/\(path)") }
    }

    /// Returns the base name of the files of one speaker, or another thing with a name.
    ///
    /// Keeps letters, digits, `.`, `-` and `_`, and writes other bytes as `%` and two digits. Shortens a name
    /// above the limit and appends a hash of the whole.
    ///
    /// - Parameter instance: Distinguishes things of one name; appended after `@`, which is escaped in
    ///   names.
    package static func fileName(of name: String, instance: String?) -> String {
        let whole = encoded(name) + (instance.map { "@" + encoded($0) } ?? "")
        guard whole.utf8.count > fileNameLimit else { return whole }
        // FNV-1a, because Swift's own hash differs in every run.
        let number = whole.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return whole.prefix(fileNameLimit - 17) + "~" + String(number, radix: 16)
    }

    /// Most bytes of a file name before its extension; file systems allow 255 in all.
    private static let fileNameLimit = 160

    private static func encoded(_ text: String) -> String {
        let result = PercentCoding.encode(text) { PercentCoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
        if result.isEmpty { return "%" }
        return result.hasPrefix(".") ? "%2E" + result.dropFirst() : result
    }
}
