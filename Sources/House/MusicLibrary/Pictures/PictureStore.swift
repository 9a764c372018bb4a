import Foundation

/// The pictures of the library: one file each, in folders by the first two digits of its id.
///
/// Safe to use from several threads: files appear whole, and never change.
struct PictureStore: Sendable {
    /// The most bytes of a picture; larger ones are ignored.
    static let byteLimit = 8 << 20

    let path: String

    /// Keeps a picture.
    ///
    /// - Returns: Its id; `nil` if the bytes are no JPEG or PNG, or too many.
    /// - Throws: ``PictureStoreError`` if the disk refuses the file.
    func keep(_ bytes: [UInt8]) throws(PictureStoreError) -> PictureID? {
        guard bytes.count <= Self.byteLimit, Self.mimeType(bytes) != nil else { return nil }
        let id = PictureID(of: bytes)
        let file = self.file(id)
        if isKept(id) { return id }
        mkdir(path, 0o700)
        mkdir(PathText.folder(file), 0o700)
        let temporary = file + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PictureStoreError(path: path, code: errno) }
        // Not synced, which would stall all writers of the disk: ``isKept(_:)`` finds what a power cut took.
        let isWritten = Self.write(bytes, to: descriptor)
        let code = errno
        close(descriptor)
        guard isWritten, rename(temporary, file) == 0 else {
            let error = PictureStoreError(path: path, code: isWritten ? errno : code)
            unlink(temporary)
            throw error
        }
        return id
    }

    /// Whether a picture is there, and not empty.
    func isKept(_ id: PictureID) -> Bool {
        var facts = stat()
        return stat(file(id), &facts) == 0 && facts.st_size > 0
    }

    /// Returns a picture; `nil` if there is none of this id.
    func picture(_ id: PictureID) -> (bytes: [UInt8], mimeType: String)? {
        guard let bytes = FileBytes.read(file(id), limit: Self.byteLimit), let type = Self.mimeType(bytes)
        else {
            return nil
        }
        return (bytes, type)
    }

    /// Removes the pictures that are not used.
    func removeAll(but isUsed: (PictureID) -> Bool) {
        for folder in FileBytes.names(in: path) where folder.utf8.count == 2 {
            for name in FileBytes.names(in: path + "/" + folder) {
                if let id = PictureID(name), isUsed(id) { continue }
                unlink("\(path)/\(folder)/\(name)")
            }
        }
    }

    /// Determines the type from the first bytes, because names can be wrong.
    static func mimeType(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        return nil
    }

    private func file(_ id: PictureID) -> String { "\(path)/\(id.description.prefix(2))/\(id)" }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// The reason why a picture could not be kept.
struct PictureStoreError: Error {
    let isFull: Bool
    let description: String

    init(path: String, code: Int32) {
        isFull = code == ENOSPC || code == EDQUOT
        let reason = isFull ? "the disk is full. Free some space" : String(cString: strerror(code))
        description = "Pictures cannot be kept in \(path): \(reason)."
    }
}
