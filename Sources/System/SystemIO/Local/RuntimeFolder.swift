import Glibc

/// A folder for the sockets of running programs. Its permissions decide which users share them.
package struct RuntimeFolder: Hashable, Sendable {
    /// The path of the folder.
    package let path: String
    /// Whether this user's programs create a missing folder.
    private let mayCreate: Bool
    /// The group that may use a folder that this program creates; `nil` for the user alone.
    private let group: String?

    /// A folder of the caller's choice, created for this user alone if missing.
    package init(path: String) { self.init(path: path, mayCreate: true, group: nil) }

    private init(path: String, mayCreate: Bool, group: String?) {
        (self.path, self.mayCreate, self.group) = (path, mayCreate, group)
    }

    /// Returns the machine's folder `/run/tutti`, then this user's `$XDG_RUNTIME_DIR/tutti`.
    /// `$TUTTI_RUNTIME_DIR` replaces both.
    ///
    /// Only root creates the machine's folder, for the group `audio`; an administrator may have created it
    /// with other permissions.
    package static func standard() -> [RuntimeFolder] {
        if let own = variable("TUTTI_RUNTIME_DIR") { return [RuntimeFolder(path: own)] }
        let system = RuntimeFolder(path: "/run/tutti", mayCreate: geteuid() == 0, group: "audio")
        return [system]
            + [variable("XDG_RUNTIME_DIR")].compactMap(\.self).map { RuntimeFolder(path: $0 + "/tutti") }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
        return value
    }

    /// Returns the path of a file in the folder.
    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// The access of this user's programs to the folder.
    package enum Access: Hashable, Sendable {
        /// The folder does not exist.
        case missing
        /// The permissions keep this user out, or untrusted users could have created files there.
        case none
        /// Programs may use sockets there.
        case use
        /// Programs may also create sockets there.
        case make
    }

    /// The present access of this user's programs to the folder.
    package var access: Access {
        var about = stat()
        guard lstat(path, &about) == 0 else { return errno == ENOENT ? .missing : .none }
        // A world-writable folder proves nothing about the owner of its sockets.
        guard about.st_mode & S_IFMT == S_IFDIR, about.st_mode & S_IWOTH == 0,
            about.st_uid == 0 || about.st_uid == geteuid() || path == "/run/tutti",
            faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0
        else { return .none }
        return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 ? .make : .use
    }

    /// Removes the socket of a closing listener.
    package static func removeSocket(at path: String) { unlink(path) }

    /// Creates a missing folder if this user may.
    ///
    /// - Returns: Whether sockets may be created there.
    package func prepare() -> Bool {
        if access == .missing, mayCreate, mkdir(path, 0o700) == 0, let group, let entry = getgrnam(group) {
            if chown(path, geteuid(), entry.pointee.gr_gid) == 0 { chmod(path, 0o750) }
        }
        return access == .make
    }
}

/// The network namespace of this program: UDP ports are unique per namespace.
package enum NetworkNamespace {
    /// Returns the namespace's inode number; 0 if the kernel does not tell.
    package static func number() -> UInt64 {
        var about = stat()
        return stat("/proc/self/ns/net", &about) == 0 ? UInt64(about.st_ino) : 0
    }
}
