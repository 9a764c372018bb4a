import TuttiHouse
import TuttiHTTPService
import TuttiMusicLibrary

/// Items for a queue, and their place.
struct AddBody: RequestBody {
    let items: [LibraryItem]
    let place: QueuePlace

    static let itemsSchema = Schema.list(
        .either(ItemBody.Key.allCases.map { .object([.required($0.rawValue, $0.schema)]) }))
    static let schema = Schema.object([
        .required("items", itemsSchema),
        .optional(
            "place",
            .either([
                .choice(PlaceBody.words.map(\.0)), .object([.required("before", .integer("An entry's id."))]),
            ])),
    ])

    private enum CodingKeys: CodingKey { case items, place }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        items = try container.decode([ItemBody].self, forKey: .items).map(\.item)
        place = try container.decodeIfPresent(PlaceBody.self, forKey: .place)?.place ?? .end
    }
}

/// One item: an object with one member, which says the kind.
struct ItemBody: Decodable {
    enum Key: String, CodingKey, CaseIterable {
        case track, album, artist, folder, playlist, station, location

        var schema: Schema {
            switch self {
            case .folder: .text("The path of a folder of the library.")
            case .location: .text("A path inside the library's folders, or a web address.")
            default: .integer("An id of the library.")
            }
        }
    }

    let item: LibraryItem

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let key = container.allKeys.first, container.allKeys.count == 1 else {
            throw Problem.invalid(
                "Each of “items” must have one of "
                    + Key.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ") + ".")
        }
        item =
            switch key {
            case .track: .track(try container.decode(Int64.self, forKey: key))
            case .album: .album(try container.decode(Int64.self, forKey: key))
            case .artist: .artist(try container.decode(Int64.self, forKey: key))
            case .folder: .folder(try container.decode(String.self, forKey: key))
            case .playlist: .playlist(try container.decode(Int64.self, forKey: key))
            case .station: .station(try container.decode(Int64.self, forKey: key))
            case .location: .location(try container.decode(String.self, forKey: key))
            }
    }
}

/// A place: a word, or the entry after it.
private struct PlaceBody: Decodable {
    static let words: [(String, QueuePlace)] = [
        ("end", .end), ("next", .next), ("now", .now), ("replace", .replace),
    ]

    let place: QueuePlace

    private enum CodingKeys: CodingKey { case before }

    init(from decoder: any Decoder) throws {
        // Anything but a word may be an object, whose error then counts.
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            guard let place = Self.words.first(where: { $0.0 == word })?.1 else {
                throw Problem.invalid(
                    "“place” must be one of \(Self.words.map(\.0).joined(separator: ", ")),"
                        + " or an object with “before”.")
            }
            self.place = place
        } else {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            place = .before(try container.decode(EntryID.self, forKey: .before))
        }
    }
}
