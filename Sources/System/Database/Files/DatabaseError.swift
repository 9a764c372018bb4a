import CTuttiSQLite
import Foundation

/// The reason why a call of ``Database`` failed.
public struct DatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure.
    public enum Kind: String, Sendable, CaseIterable {
        /// The disk, the quota or the page limit is full. Nothing was changed.
        case full
        /// The file is damaged, or not a database.
        case corrupt
        /// Another connection wrote for longer than the time limit.
        case busy
        /// The file, its folder or the connection allows no changes.
        case readOnly
        /// The file cannot be opened or created.
        case cannotOpen
        /// Another failure, such as a broken constraint.
        case other
    }

    /// The kind.
    public let kind: Kind
    /// A sentence for users that names the file and, if possible, what to do.
    public let description: String

    /// Creates an error.
    public init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

    init(_ kind: Kind, path: String, reason: String) {
        self.init(kind, Self.sentence(kind, path, reason))
    }

    init(tooNew path: String) {
        self.init(
            .cannotOpen,
            "\(path) was written by a newer version of this program. Update the program, or move the file.")
    }

    /// - Parameter handle: The connection whose call has just failed.
    init(code: Int32, path: String, handle: OpaquePointer?) {
        let system = handle.map { sqlite3_system_errno($0) } ?? 0
        let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        let reason = text.map { String(cString: $0) } ?? "error \(code)"
        self.init(Self.kind(of: code, system: system), path: path, reason: reason)
    }

    private static func kind(of code: Int32, system: Int32) -> Kind {
        switch code & 0xFF {
        case SQLITE_FULL: .full
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_CANTOPEN, SQLITE_AUTH: .cannotOpen
        case SQLITE_IOERR where system == ENOSPC || system == EDQUOT: .full
        default: .other
        }
    }

    private static func sentence(_ kind: Kind, _ path: String, _ reason: String) -> String {
        switch kind {
        case .full: "\(path) cannot be written: the disk is full. Free some space."
        case .corrupt: "\(path) is damaged (\(reason))."
        case .busy: "\(path) is in use by another program (\(reason))."
        case .readOnly:
            "\(path) cannot be changed (\(reason)). Check the permissions of the file and its folder."
        case .cannotOpen: "\(path) cannot be opened (\(reason)). Check the permissions of its folder."
        case .other: "\(path) cannot be used (\(reason))."
        }
    }
}
