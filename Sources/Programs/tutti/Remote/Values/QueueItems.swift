import Foundation
import TuttiCommandLineInterface

/// The items that a person names for a queue: web addresses, files, folders, and what the library has by
/// name.
enum QueueItems {
    /// A kind of the library, the word before a colon that asks for it alone.
    enum Kind: String, CaseIterable {
        case playlist, station, album, artist, track
    }

    /// The meaning of a word, as far as it needs no library.
    enum Word: Equatable {
        case location(String)
        case folder(String)
        case search(Kind?, String)
    }

    /// The kinds of a file that is there.
    enum Path: Equatable { case missing, file, folder }

    /// Reads a word.
    ///
    /// - Parameters:
    ///   - folder: The folder that relative paths are in.
    ///   - kind: Returns what is at an absolute path on this machine.
    static func word(_ text: String, in folder: String, kind: (String) -> Path) -> Word {
        if text.contains("://") { return .location(text) }
        let path = URL(fileURLWithPath: text, relativeTo: URL(fileURLWithPath: folder + "/"))
            .standardizedFileURL.path
        switch kind(path) {
        case .file: return .location(path)
        case .folder: return .folder(path)
        case .missing: break
        }
        // Another machine's file, or one that is gone: the house says so.
        if ["/", "./", "../"].contains(where: text.hasPrefix) { return .location(path) }
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2, let kind = Kind(rawValue: parts[0].lowercased()) {
            return .search(kind, parts[1])
        }
        return .search(nil, text)
    }

    /// Returns the items in the JSON of the service's interface.
    static func json(_ words: [String], _ service: RemoteService) async throws(RemoteFailure) -> JSONValue {
        var items: [JSONValue] = []
        for text in words {
            let word = word(text, in: FileManager.default.currentDirectoryPath) { path in
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                    return .missing
                }
                return isFolder.boolValue ? .folder : .file
            }
            switch word {
            case .location(let location): items.append(.members(["location": .string(location)]))
            case .folder(let path): items.append(.members(["folder": .string(path)]))
            case .search(let kind, let name):
                let path = "/library/search?limit=20&q=" + RemoteService.encoded(String(name.prefix(60)))
                let found = try await service.ask(LibraryHits.self, path)
                let hit = try found.hit(named: name, kind)
                items.append(.object([.init(key: hit.kind.rawValue, value: .integer(hit.id))]))
            }
        }
        return .array(items)
    }
}

/// The results of a search of the library.
struct LibraryHits: Equatable, Decodable, Sendable {
    struct Titled: Equatable, Decodable, Sendable {
        var id: Int?
        let title: String
        var artist: String?
    }

    struct Named: Equatable, Decodable, Sendable {
        let id: Int
        let name: String
    }

    var tracks: [Titled]
    var albums: [Titled]
    var artists: [Named]
    var playlists: [Named]
    var stations: [Named]

    /// A result.
    struct Hit: Equatable, Sendable {
        let kind: QueueItems.Kind
        let id: Int
        let name: String
        var artist: String?

        /// The result in words: `album “Blue” by Joni`.
        var words: String {
            "\(kind.rawValue) \(NameMatch.quoted(name))" + (artist.map { " by \(SafeText.line($0))" } ?? "")
        }
    }

    private var hits: [Hit] {
        let named = [(QueueItems.Kind.playlist, playlists), (.station, stations), (.artist, artists)]
        let titled = [(QueueItems.Kind.album, albums), (.track, tracks)]
        return named.flatMap { kind, items in items.map { Hit(kind: kind, id: $0.id, name: $0.name) } }
            + titled.flatMap { kind, items in
                items.compactMap { item in
                    item.id.map { Hit(kind: kind, id: $0, name: item.title, artist: item.artist) }
                }
            }
    }

    /// Returns the result that a name means: the only one with this name, else the only result.
    func hit(named name: String, _ kind: QueueItems.Kind?) throws(RemoteFailure) -> Hit {
        let hits = hits.filter { kind == nil || $0.kind == kind }
        let same = hits.filter { $0.name.lowercased() == name.lowercased() }
        if same.count == 1 { return same[0] }
        let found = same.isEmpty ? hits : same
        if found.count == 1 { return found[0] }
        guard !found.isEmpty else {
            let noun = kind.map { "no \($0.rawValue)" } ?? "nothing"
            throw RemoteFailure(
                .usage,
                "The library has \(noun) by the name \(NameMatch.quoted(name)), and there is no such file here."
            )
        }
        let shown = found.prefix(Self.listLimit).map(\.words)
        let more = found.count > shown.count ? " or \(found.count - shown.count) more" : ""
        throw RemoteFailure(
            .usage,
            "\(NameMatch.quoted(name)) could be \(shown.joined(separator: ", "))\(more). Type the whole name, with"
                + " a kind before it if needed: album:NAME.")
    }

    private static let listLimit = 8
}
