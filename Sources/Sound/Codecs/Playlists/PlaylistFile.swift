import Foundation

/// A list of files and addresses: M3U, M3U8 or PLS.
///
/// An HLS playlist, whose entries are segments of one stream, is not a ``PlaylistFile``: it plays as one
/// stream.
package struct PlaylistFile: Hashable, Sendable {
    /// A line of the list.
    package struct Entry: Hashable, Sendable {
        /// A path, or an address that begins with `http://` or `https://`.
        package var location: String
        /// The title as written in the list; `nil` if there is none.
        package var title: String?

        /// Creates an entry.
        package init(location: String, title: String? = nil) {
            (self.location, self.title) = (location, title)
        }
    }

    /// The most bytes of a list; larger lists are rejected.
    package static let byteLimit = 1 << 20
    /// The most entries; later entries are ignored.
    package static let entryLimit = 10_000
    /// The most characters of a title and bytes of a location; longer titles are cut, longer locations
    /// ignored.
    static let textLimit = 4096

    /// The entries in playing order.
    package var entries: [Entry]

    /// Parses a list.
    ///
    /// - Parameters:
    ///   - bytes: The whole list.
    ///   - base: The path or address of the list, used to resolve relative entries. A list behind an address
    ///     may name only addresses; other entries are ignored.
    /// - Returns: `nil` if the bytes are not a list of these kinds.
    package init?(_ bytes: [UInt8], base: String) {
        guard bytes.count <= Self.byteLimit else { return nil }
        let content = WebContent(Array(bytes.prefix(64 << 10)))
        guard content != .segments, content != .page else { return nil }
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let lines = text.split { $0.isNewline || $0 == "\u{FEFF}" }.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let place = PlaylistPlace(base)
        if lines.first?.lowercased() == "[playlist]" {
            entries = Self.numbered(lines, place)
        } else if content == .playlist || Self.isPlaylist(base) {
            entries = Self.listed(lines, place)
        } else {
            return nil
        }
    }

    /// Returns whether a file name or address ends like a playlist's.
    package static func isPlaylist(_ location: String) -> Bool { WebContent.isPlaylist(address: location) }

    /// Parses M3U: one location per line; `#EXTINF:SECONDS,TITLE` describes the next location.
    private static func listed(_ lines: [String], _ place: PlaylistPlace) -> [Entry] {
        var entries: [Entry] = []
        var title: String?
        for line in lines where entries.count < entryLimit {
            if line.lowercased().hasPrefix("#extinf:") {
                title = Self.title(ofInformation: line)
            } else if !line.hasPrefix("#"), !line.isEmpty {
                if let location = place.location(of: line) {
                    entries.append(Entry(location: location, title: title))
                }
                title = nil
            }
        }
        return entries
    }

    /// Returns the text after the first comma outside quotes.
    private static func title(ofInformation line: String) -> String? {
        var isQuoted = false
        for index in line.indices {
            if line[index] == "\"" { isQuoted.toggle() }
            if line[index] == ",", !isQuoted {
                return words(line[line.index(after: index)...])
            }
        }
        return nil
    }

    /// Parses PLS: `File1=LOCATION`, `Title1=TITLE`.
    private static func numbered(_ lines: [String], _ place: PlaylistPlace) -> [Entry] {
        var entries: [Int: Entry] = [:]
        var titles: [Int: String] = [:]
        for line in lines.dropFirst() {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].lowercased().filter { $0 != " " }
            let value = line[line.index(after: equals)...]
            for (name, isFile) in [("file", true), ("title", false)] where key.hasPrefix(name) {
                guard let number = Int(key.dropFirst(name.count)), (0...entryLimit).contains(number) else {
                    continue
                }
                if isFile {
                    entries[number] = place.location(of: String(value)).map { Entry(location: $0) }
                } else {
                    titles[number] = words(value)
                }
            }
        }
        return entries.sorted { $0.key < $1.key }.prefix(entryLimit).map {
            Entry(location: $0.value.location, title: titles[$0.key])
        }
    }

    private static func words(_ text: some StringProtocol) -> String? {
        let words = text.trimmingCharacters(in: .whitespaces).prefix(textLimit)
        return words.isEmpty ? nil : String(words)
    }
}

/// The location of a list, for resolving its entries.
struct PlaylistPlace {
    private let base: String
    private let isRemote: Bool

    init(_ base: String) {
        self.base = base
        isRemote = Self.isAddress(base)
    }

    static func isAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// Resolves an entry; `nil` if the entry is empty, invalid or not allowed in this list.
    func location(of entry: String) -> String? {
        let entry = entry.trimmingCharacters(in: .whitespaces)
        guard !entry.isEmpty, entry.utf8.count <= PlaylistFile.textLimit,
            !entry.unicodeScalars.contains(where: { $0.value < 32 })
        else { return nil }
        if Self.isAddress(entry) { return entry }
        if isRemote { return remote(entry) }
        if entry.lowercased().hasPrefix("file://") { return URL(string: entry)?.path }
        if entry.contains("://") { return nil }
        if entry.hasPrefix("/") { return entry }
        // Lists from Windows separate folders with backslashes.
        let relative = entry.contains("/") ? entry : entry.replacingOccurrences(of: "\\", with: "/")
        let folder = (base as NSString).deletingLastPathComponent
        return folder.isEmpty ? relative : (folder as NSString).appendingPathComponent(relative)
    }

    private func remote(_ entry: String) -> String? {
        let scheme = entry.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        if entry.dropFirst(scheme.count).hasPrefix(":"), !scheme.isEmpty { return nil }
        let text =
            entry.contains("%")
            ? entry
            : entry.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.union(.urlQueryAllowed))
                ?? entry
        guard let url = URL(string: text, relativeTo: URL(string: base))?.absoluteString, Self.isAddress(url)
        else { return nil }
        return url
    }
}
