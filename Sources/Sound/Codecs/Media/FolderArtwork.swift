import Foundation

/// The picture in a file's folder, for files without an embedded picture.
struct FolderArtwork {
    /// File names without extension, in order of preference.
    private static let names = ["cover", "folder", "front", "album", "albumart"]
    private static let kinds = ["jpg", "jpeg", "png"]

    let folder: String

    /// - Parameter path: The path of an audio file.
    init(beside path: String) {
        folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// Returns the first file with a known name that holds a picture; `nil` if there is none.
    func find() -> Artwork? {
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
        var ranked: [(rank: Int, name: String)] = []
        for entry in entries {
            if let rank = Self.rank(entry) { ranked.append((rank, entry)) }
        }
        ranked.sort { ($0.rank, $0.name) < ($1.rank, $1.name) }
        return ranked.lazy.compactMap { picture(folder + "/" + $0.name) }.first
    }

    /// Ranks a file name regardless of case; `nil` for an unknown name.
    private static func rank(_ entry: String) -> Int? {
        let parts = entry.lowercased().split(separator: ".").map(String.init)
        guard parts.count == 2, let name = names.firstIndex(of: parts[0]),
            let kind = kinds.firstIndex(of: parts[1])
        else { return nil }
        return name * kinds.count + kind
    }

    private func picture(_ path: String) -> Artwork? {
        var facts = stat()
        // Reading a pipe would block.
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            (1...Artwork.byteLimit).contains(Int(facts.st_size)),
            let bytes = FileManager.default.contents(atPath: path), bytes.count <= Artwork.byteLimit,
            let mimeType = Self.mimeType(bytes)
        else { return nil }
        return Artwork(bytes: Array(bytes), mimeType: mimeType)
    }

    /// Determines the type from the first bytes, because file names can be wrong.
    private static func mimeType(_ bytes: Data) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        return nil
    }
}
