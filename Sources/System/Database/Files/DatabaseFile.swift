import Foundation

/// The files of a database: the database itself, its log (`-wal`) and the log's index (`-shm`).
struct DatabaseFile {
    private static let suffixes = ["", "-wal", "-shm"]

    let path: String

    init(_ path: String) { self.path = path }

    /// Creates an empty file with mode 0600, and its missing folders with mode 0700; does nothing for a file
    /// that exists. The log takes the mode of the file.
    func create() throws(DatabaseError) {
        try createFolders()
        // Never opens a file that exists: closing it would drop the locks of all connections of this process.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) } else if errno != EEXIST { throw systemError() }
    }

    private func createFolders() throws(DatabaseError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/").dropLast() {
            made += "/" + part
            // Parents that exist may be read-only; opening the file tells what is wrong.
            guard mkdir(made, 0o700) == 0 || [EEXIST, EROFS, EACCES].contains(errno) else {
                throw systemError()
            }
        }
    }

    func setAside(at time: Date) throws(DatabaseError) -> String? {
        guard let target = freeName(at: time) else {
            throw DatabaseError(
                .other, "\(path) is damaged, and all names for it are taken. Remove old copies.")
        }
        guard rename(path, target) == 0 else {
            if errno == ENOENT { return nil }
            throw systemError()
        }
        // A log that stayed would be applied to the new file.
        for suffix in Self.suffixes.dropFirst() where rename(path + suffix, target + suffix) != 0 {
            if errno != ENOENT { throw systemError() }
        }
        return target
    }

    private func freeName(at time: Date) -> String? {
        let base = "\(path).corrupt-\(Self.stamp(time))"
        let names = [base] + (2..<100).map { "\(base)-\($0)" }
        return names.first { name in Self.suffixes.allSatisfy { access(name + $0, F_OK) != 0 } }
    }

    private static func stamp(_ time: Date) -> String {
        var (seconds, parts) = (time_t(time.timeIntervalSince1970), tm())
        gmtime_r(&seconds, &parts)
        func digits(_ value: Int32) -> String { (value < 10 ? "0" : "") + "\(value)" }
        let day = "\(parts.tm_year + 1900)" + digits(parts.tm_mon + 1) + digits(parts.tm_mday)
        return day + "-" + digits(parts.tm_hour) + digits(parts.tm_min) + digits(parts.tm_sec)
    }

    /// Returns the error of the system call that has just failed; reads `errno`.
    private func systemError() -> DatabaseError {
        let code = errno
        let kind: DatabaseError.Kind = code == ENOSPC || code == EDQUOT ? .full : .cannotOpen
        return DatabaseError(kind, path: path, reason: String(cString: strerror(code)))
    }
}
