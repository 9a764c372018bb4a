internal import Glibc

/// A folder that nobody but its owner may look into.
struct PrivateFolder: Sendable {
    let path: String

    /// Makes the folder and those above it that are missing, with mode 0700, and takes away others' access to
    /// it.
    ///
    /// - Returns: Whether others had access before.
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

    /// Where the speakers of this user are kept: `$XDG_STATE_HOME/tutti/speakers`, else below
    /// `~/.local/state`.
    ///
    /// - Returns: `nil` when neither is known.
    static func ofSpeakers(environment: [String: String]) -> PrivateFolder? {
        // The standard says that a path that is not absolute does not count.
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
        return state.map { PrivateFolder(path: $0 + "/tutti/speakers") }
    }

    /// A name for files of one speaker: letters, digits, `.`, `-` and `_` of its name as they are, other
    /// bytes as `%` and two digits; what is longer than a file name may be ends with a number made of the
    /// whole.
    ///
    /// - Parameter instance: Tells speakers of one name apart; behind `@`, which no name keeps.
    static func fileName(of name: String, instance: String?) -> String {
        let whole = encoded(name) + (instance.map { "@" + encoded($0) } ?? "")
        guard whole.utf8.count > fileNameLimit else { return whole }
        // FNV-1a: the same in every run, which Swift's own hash is not.
        let number = whole.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return whole.prefix(fileNameLimit - 17) + "~" + String(number, radix: 16)
    }

    /// Bytes of a file's name before its ending; file systems allow 255 in all.
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
