import Foundation
import TuttiHouse
import TuttiMusicLibrary

/// Items for a queue, and their place: a plain path or address, one item as an object, or the body of the
/// HTTP interface with `items` and `place`.
struct AddPayload: Decodable {
    let items: [LibraryItem]
    let place: QueuePlace

    private enum Key: String, CodingKey {
        case items, place, before
        case track, album, artist, folder, playlist, station, location

        static let kinds: [Key] = [.track, .album, .artist, .folder, .playlist, .station, .location]
    }

    /// The error of a payload that has another form.
    struct Malformed: Error {}

    /// The form, for a sentence.
    static let form =
        "a path in the library, a web address, or JSON such as {\"album\": 3, \"place\": \"now\"}"

    init(_ payload: CommandPayload) throws {
        guard !payload.text.hasPrefix("{") else {
            self = try JSONDecoder().decode(AddPayload.self, from: Data(payload.bytes))
            return
        }
        guard !payload.text.isEmpty, payload.bytes.count <= 8_192 else { throw Malformed() }
        (items, place) = ([.location(payload.text)], .end)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(.items) {
            items = try container.decode([Item].self, forKey: .items).map(\.item)
        } else {
            items = [try Self.item(in: container)]
        }
        place = try Self.place(in: container)
        guard !items.isEmpty else { throw Malformed() }
    }

    private struct Item: Decodable {
        let item: LibraryItem

        init(from decoder: any Decoder) throws {
            item = try AddPayload.item(in: decoder.container(keyedBy: Key.self))
        }
    }

    private static func item(in container: KeyedDecodingContainer<Key>) throws -> LibraryItem {
        let kinds = Key.kinds.filter { container.contains($0) }
        guard kinds.count == 1 else { throw Malformed() }
        switch kinds[0] {
        case .track: return .track(try container.decode(Int64.self, forKey: .track))
        case .album: return .album(try container.decode(Int64.self, forKey: .album))
        case .artist: return .artist(try container.decode(Int64.self, forKey: .artist))
        case .folder: return .folder(try container.decode(String.self, forKey: .folder))
        case .playlist: return .playlist(try container.decode(Int64.self, forKey: .playlist))
        case .station: return .station(try container.decode(Int64.self, forKey: .station))
        default: return .location(try container.decode(String.self, forKey: .location))
        }
    }

    private static func place(in container: KeyedDecodingContainer<Key>) throws -> QueuePlace {
        guard container.contains(.place) else { return .end }
        // Anything but a word may be an object, whose error then counts.
        guard let word = try? container.decode(String.self, forKey: .place) else {
            let before = try container.nestedContainer(keyedBy: Key.self, forKey: .place)
            return .before(try before.decode(EntryID.self, forKey: .before))
        }
        switch word {
        case "end": return .end
        case "next": return .next
        case "now": return .now
        case "replace": return .replace
        default: throw Malformed()
        }
    }
}
