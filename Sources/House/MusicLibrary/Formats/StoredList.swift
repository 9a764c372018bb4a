import AVFoundation

/// A playlist file of any kind, with its locations resolved.
struct StoredList {
    struct Entry {
        /// A path, or an address that begins with `http://` or `https://`.
        var location: String
        var title: String?
    }

    var name: String
    var entries: [Entry]

    /// Reads a file; blocks.
    ///
    /// - Returns: `nil` if the file is no playlist, or cannot be read.
    init?(reading path: String) {
        name = PathText.split(PathText.name(path)).stem
        if PathText.ending(path) == "xspf" {
            guard let bytes = FileBytes.read(path, limit: PlainText.byteLimit),
                let list = XSPFList(PlainText.decode(bytes), folder: PathText.folder(path))
            else { return nil }
            name = list.title ?? name
            entries = list.entries.map { Entry(location: $0.location, title: $0.title) }
        } else {
            // The file's error is told as "no playlist".
            guard let list = try? TuttiPlaylist.read(path) else { return nil }
            entries = list.entries.map { entry in
                let location = PathText.standard(entry.location) ?? entry.location
                return Entry(location: location, title: entry.title)
            }
        }
    }
}
