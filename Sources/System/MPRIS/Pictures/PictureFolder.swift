import Glibc
import Synchronization

/// A folder of pictures for the desktop: files that only this user may read. Any thread; blocks on the disk.
///
/// Keeps the last ``fileLimit`` pictures, and removes all of them at the end. Many objects and programs share
/// the folder: each has a ``PictureShelf`` of its own in it, and removes those of programs that ended without
/// doing so.
package final class PictureFolder: Sendable {
    /// The most files of this object.
    package static let fileLimit = 8
    /// The most bytes of a picture.
    package static let byteLimit = 16_777_216

    private struct State {
        /// Made with the first picture.
        var shelf: PictureShelf?
        /// The names of the files, oldest first.
        var files: [String] = []
    }

    private let path: String
    private let state = Mutex(State())

    /// Uses a folder, which is made if it is missing.
    ///
    /// - Returns: `nil` if the folder cannot be used, or belongs to another user.
    package init?(path: String) {
        self.path = path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return nil }
        var about = stat()
        guard lstat(path, &about) == 0, about.st_mode & S_IFMT == S_IFDIR, about.st_uid == geteuid(),
            about.st_mode & 0o022 == 0
        else { return nil }
        PictureShelf.removeOrphans(in: path)
    }

    deinit { removeAll() }

    /// Returns the folder below `$XDG_RUNTIME_DIR`, which the system empties when the user logs out; `nil`
    /// without one.
    package static func standard() -> PictureFolder? {
        guard let parent = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), parent.hasPrefix("/")
        else {
            return nil
        }
        return PictureFolder(path: parent + "/tutti-pictures")
    }

    /// Stores a picture.
    ///
    /// - Parameter bytes: JPEG or PNG.
    /// - Returns: The address of the file, `file://…`, the same for the same picture as long as it is kept;
    ///   `nil` if it cannot be stored.
    package func store(_ bytes: [UInt8]) -> String? {
        guard let ending = Self.ending(of: bytes), bytes.count <= Self.byteLimit else { return nil }
        let name = "\(String(Self.hash(bytes), radix: 16)).\(ending)"
        return state.withLock { state in
            guard let shelf = Self.shelf(&state, in: path) else { return nil }
            let file = shelf.path(of: name)
            let old = state.files.firstIndex(of: name)
            if let old { state.files.remove(at: old) }
            guard old != nil && Self.exists(file) || Self.write(bytes, to: file) else { return nil }
            state.files.append(name)
            if state.files.count > Self.fileLimit { unlink(shelf.path(of: state.files.removeFirst())) }
            return FileAddress.address(ofPath: file)
        }
    }

    /// Keeps a stored picture longer than the others.
    ///
    /// - Returns: `false` if the picture is gone.
    package func renew(_ address: String) -> Bool {
        state.withLock { state in
            guard let shelf = state.shelf,
                let index = state.files.firstIndex(where: {
                    FileAddress.address(ofPath: shelf.path(of: $0)) == address
                })
            else { return false }
            let name = state.files.remove(at: index)
            guard Self.exists(shelf.path(of: name)) else { return false }
            state.files.append(name)
            return true
        }
    }

    /// Removes the files of this object. Idempotent.
    package func removeAll() {
        state.withLock { state in
            state.shelf?.remove()
            state = State()
        }
    }

    /// Returns the shelf, a new one if somebody has removed it.
    private static func shelf(_ state: inout State, in path: String) -> PictureShelf? {
        if let shelf = state.shelf {
            if shelf.exists { return shelf }
            state = State()
        }
        state.shelf = PictureShelf(in: path)
        return state.shelf
    }

    private static func exists(_ file: String) -> Bool { access(file, F_OK) == 0 }

    private static func write(_ bytes: [UInt8], to file: String) -> Bool {
        unlink(file)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                unlink(file)
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func ending(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpg" }
        return bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? "png" : nil
    }

    /// FNV-1a over 64 bits: tells pictures of one player apart.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
