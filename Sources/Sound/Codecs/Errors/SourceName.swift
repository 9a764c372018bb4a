import Glibc

/// A path or web address, checked before FFmpeg sees it.
struct SourceName {
    /// The location that FFmpeg opens; its prefix prevents a path from naming an FFmpeg protocol by accident.
    let location: String
    /// The name for users: the last part, without query and credentials.
    let displayName: String
    let isRemote: Bool

    /// Returns whether an address begins with `http://` or `https://`.
    static func isOfTheWeb(_ address: String) -> Bool {
        let scheme = address.prefix(8).lowercased()
        return scheme.hasPrefix("http://") || scheme.hasPrefix("https://")
    }

    /// - Parameter isProvided: Whether the program provides the bytes of this address.
    init(_ path: String, isProvided: Bool = false) {
        isRemote = isProvided || Self.isOfTheWeb(path)
        if isRemote {
            location = path
            let bare = path.prefix { $0 != "?" && $0 != "#" }.split(
                separator: "/", omittingEmptySubsequences: true)
            let host = bare.dropFirst().first.map { $0.split(separator: "@").last ?? $0 } ?? ""
            displayName = bare.count > 2 ? "\(bare.last ?? "") at \(host)" : String(host)
        } else {
            location = "file:" + path
            // Bytes and not characters: a slash and a combining mark after it are one character.
            displayName =
                path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
        }
    }

    /// The path in ``location``; of no meaning for an address.
    private var path: String { String(Substring(location.utf8.dropFirst("file:".utf8.count))) }

    /// Rejects a path that is not a readable, non-empty file; accepts every address.
    func check() throws(MediaError) {
        if isRemote { return }
        let path = path
        var status = stat()
        if path.isEmpty || path.utf8.contains(0) { throw .notFound(name: displayName) }
        if stat(path, &status) != 0 {
            throw errno == EACCES ? .permissionDenied(name: displayName) : .notFound(name: displayName)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw .isDirectory(name: displayName)
        case S_IFREG: if status.st_size == 0 { throw .empty(name: displayName) }
        default: throw .notAFile(name: displayName)
        }
        if access(path, R_OK) != 0 { throw .permissionDenied(name: displayName) }
    }

    /// Returns bytes of a file from an offset on, fewer at the end; none for an address.
    func bytes(_ count: Int, at offset: Int = 0) -> [UInt8] {
        if isRemote { return [] }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        return Array(unsafeUninitializedCapacity: count) { buffer, used in
            used = max(0, pread(file, buffer.baseAddress, count, offset))
        }
    }
}
