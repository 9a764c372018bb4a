internal import Glibc

/// A folder that only its owner may access.
struct PrivateFolder: Sendable {
    let path: String

    /// Creates the folder and its missing parents with mode 0700, and revokes other users' access to the
    /// folder.
    ///
    /// - Returns: Whether other users had access before.
    func prepare() throws(PrivateFileError) -> Bool {
        try Self.makeAll(path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { throw PrivateFileError("open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw PrivateFileError("stat", path) }
        guard status.st_uid == geteuid() else { throw PrivateFileError(path, "belongs to another user") }
        guard status.st_mode & 0o077 != 0 else { return false }
        guard fchmod(descriptor, 0o700) == 0 else { throw PrivateFileError("chmod", path) }
        return true
    }

    private static func makeAll(_ path: String) throws(PrivateFileError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) == 0 || errno == EEXIST || errno == EROFS || errno == EACCES else {
                throw PrivateFileError("mkdir", made)
            }
        }
    }

    /// Returns the folder of this user's speakers: `$XDG_STATE_HOME/tutti/speakers`, else below
    /// `~/.local/state`.
    ///
    /// - Returns: `nil` if neither `XDG_STATE_HOME` nor `HOME` is an absolute path.
    static func ofSpeakers(environment: [String: String]) -> PrivateFolder? {
        // The XDG specification says to ignore relative paths.
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
        return state.map { PrivateFolder(path: $0 + "/tutti/speakers") }
    }

    /// Returns the base name of one speaker's files.
    ///
    /// Keeps letters, digits, `.`, `-` and `_`, and writes other bytes as `%` and two digits. Shortens a name
    /// above the limit and appends a hash of the whole.
    ///
    /// - Parameter instance: Distinguishes speakers of one name; appended after `@`, which is escaped in
    ///   names.
    static func fileName(of name: String, instance: String?) -> String {
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
        var result = ""
        for byte in text.utf8 {
            let character = Character(UnicodeScalar(byte))
            let isPlain =
                byte < 0x80 && (character.isLetter || character.isNumber || "-_.".contains(character))
            if isPlain, !(result.isEmpty && character == ".") {
                result.append(character)
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result.isEmpty ? "%" : result
    }
}
