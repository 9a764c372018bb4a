// In JSON an item is an object with one member, such as {"album": 7} or {"folder": "/music/Ada"}.
extension LibraryItem: Codable {
    private enum Kind: String, CodingKey, CaseIterable {
        case track, album, artist, folder, playlist, station, location
    }

    /// Decodes an item; exactly one kind must be there.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an item has one kind"))
        }
        self =
            switch kind {
            case .track: .track(try container.decode(Int64.self, forKey: kind))
            case .album: .album(try container.decode(Int64.self, forKey: kind))
            case .artist: .artist(try container.decode(Int64.self, forKey: kind))
            case .folder: .folder(try container.decode(String.self, forKey: kind))
            case .playlist: .playlist(try container.decode(Int64.self, forKey: kind))
            case .station: .station(try container.decode(Int64.self, forKey: kind))
            case .location: .location(try container.decode(String.self, forKey: kind))
            }
    }

    /// Encodes the item.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .track(let id): try container.encode(id, forKey: .track)
        case .album(let id): try container.encode(id, forKey: .album)
        case .artist(let id): try container.encode(id, forKey: .artist)
        case .folder(let path): try container.encode(path, forKey: .folder)
        case .playlist(let id): try container.encode(id, forKey: .playlist)
        case .station(let id): try container.encode(id, forKey: .station)
        case .location(let location): try container.encode(location, forKey: .location)
        }
    }
}
