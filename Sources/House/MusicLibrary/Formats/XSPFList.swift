import Foundation

/// A playlist in XSPF, an XML format.
///
/// Source: XSPF version 1, xspf.org.
struct XSPFList: Hashable {
    struct Entry: Hashable {
        /// A path, or an address that begins with `http://` or `https://`.
        var location: String
        var title: String?
    }

    /// The most entries; later ones are ignored.
    static let entryLimit = 10_000
    private static let textLimit = 4096

    var title: String?
    var entries: [Entry] = []

    /// - Parameter folder: The folder of the file, for relative locations.
    /// - Returns: `nil` if the text is no such playlist.
    init?(_ text: String, folder: String) {
        var reader = MarkupReader(text)
        var path: [String] = []
        var entry = DraftEntry()
        var isPlaylist = false
        while let event = reader.next(), entries.count < Self.entryLimit {
            switch event {
            case .start(let name):
                path.append(name)
                if path == ["playlist"] { isPlaylist = true }
                if name == "track" { entry = DraftEntry() }
                if path == Self.locationPath { entry.locations.append("") }
            case .end(let name):
                guard path.popLast() == name else { return nil }
                if name == "track" { add(entry, folder) }
            case .text(let text):
                take(text, at: path, &entry)
            }
        }
        guard isPlaylist else { return nil }
        title = title.flatMap(Self.words)
    }

    /// A track whose end has not come yet.
    private struct DraftEntry {
        /// The places of the same sound; a program plays one of them.
        var locations: [String] = []
        var title = ""
    }

    private static let locationPath = ["playlist", "trackList", "track", "location"]

    private mutating func take(_ text: String, at path: [String], _ entry: inout DraftEntry) {
        switch path {
        case ["playlist", "title"]: title = String(((title ?? "") + text).prefix(Self.textLimit))
        case Self.locationPath:
            guard let last = entry.locations.indices.last else { break }
            if entry.locations[last].utf8.count < Self.textLimit { entry.locations[last] += text }
        case ["playlist", "trackList", "track", "title"]:
            if entry.title.utf8.count < Self.textLimit { entry.title += text }
        default: break
        }
    }

    private mutating func add(_ entry: DraftEntry, _ folder: String) {
        let usable = entry.locations.lazy.compactMap { Self.location($0, folder) }
        guard let location = usable.first else { return }
        entries.append(Entry(location: location, title: Self.words(entry.title)))
    }

    private static func words(_ text: String) -> String? {
        let words = text.trimmingCharacters(in: .whitespacesAndNewlines).prefix(textLimit)
        return words.isEmpty ? nil : String(words)
    }

    /// Resolves a URI reference.
    private static func location(_ text: String, _ folder: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.count <= textLimit else { return nil }
        if PathText.isAddress(text) { return text }
        let path: String
        if text.lowercased().hasPrefix("file:") {
            path =
                text.dropFirst(5).hasPrefix("//") ? fileURLPath(text.dropFirst(7)) : String(text.dropFirst(5))
        } else if text.contains("://") {
            return nil
        } else {
            path = text
        }
        // Some programs write plain paths.
        let plain = path.removingPercentEncoding ?? path
        return PathText.standard(plain.hasPrefix("/") ? plain : PathText.join(folder, plain))
    }

    /// Removes the host of `file://HOST/PATH`.
    private static func fileURLPath(_ text: Substring) -> String { String(text.drop { $0 != "/" }) }
}
