internal import Glibc

/// A folder for sockets of programs that run now. Its rights decide which users share them.
public struct RuntimeFolder: Hashable, Sendable {
    public let path: String
    /// Whether this user's programs make the folder when it is missing.
    private let mayCreate: Bool
    /// The group that may use the folder when this program makes it; `nil` for the user alone.
    private let group: String?

    /// A folder of the caller's choice, made for this user alone when it is missing.
    public init(path: String) { self.init(path: path, mayCreate: true, group: nil) }

    private init(path: String, mayCreate: Bool, group: String?) {
        (self.path, self.mayCreate, self.group) = (path, mayCreate, group)
    }

    /// The machine's folder `/run/tutti`, then this user's `$XDG_RUNTIME_DIR/tutti`. `$TUTTI_RUNTIME_DIR` replaces both.
    ///
    /// Only root makes the machine's folder, for the group `audio`; an administrator may have made it with other rights.
    public static func standard() -> [RuntimeFolder] {
        if let own = variable("TUTTI_RUNTIME_DIR") { return [RuntimeFolder(path: own)] }
        let system = RuntimeFolder(path: "/run/tutti", mayCreate: geteuid() == 0, group: "audio")
        return [system]
            + [variable("XDG_RUNTIME_DIR")].compactMap(\.self).map { RuntimeFolder(path: $0 + "/tutti") }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
        return value
    }

    public func path(of name: String) -> String { "\(path)/\(name)" }

    /// How this user's programs may use the folder.
    public enum Access: Hashable, Sendable {
        case missing
        /// Its rights keep this user out, or users that are not trusted could have put anything there.
        case none
        /// Sockets there may be used.
        case use
        /// Sockets may be made there, too.
        case make
    }

    public var access: Access {
        var about = stat()
        guard lstat(path, &about) == 0 else { return errno == ENOENT ? .missing : .none }
        // A folder that everybody can write to proves nothing of who made its sockets.
        guard about.st_mode & S_IFMT == S_IFDIR, about.st_mode & S_IWOTH == 0,
            about.st_uid == 0 || about.st_uid == geteuid() || path == "/run/tutti",
            faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0
        else { return .none }
        return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 ? .make : .use
    }

    /// Removes the socket of a listener that ends.
    public static func removeSocket(at path: String) { unlink(path) }

    /// Makes the folder where it is missing and this user may.
    ///
    /// - Returns: Whether sockets may be made there.
    public func prepare() -> Bool {
        if access == .missing, mayCreate, mkdir(path, 0o700) == 0, let group, let entry = getgrnam(group) {
            if chown(path, geteuid(), entry.pointee.gr_gid) == 0 { chmod(path, 0o750) }
        }
        return access == .make
    }
}

/// The network namespace that this program lives in: UDP ports are one per namespace.
public enum NetworkNamespace {
    /// The kernel's number of it; 0 where the kernel does not tell.
    public static func number() -> UInt64 {
        var about = stat()
        return stat("/proc/self/ns/net", &about) == 0 ? UInt64(about.st_ino) : 0
    }
}
