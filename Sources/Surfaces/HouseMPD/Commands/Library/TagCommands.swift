/// Lists of the values of tags, and counts of songs.
struct TagCommands: Sendable {
    /// The most groups inside each other.
    private static let groupLimit = 8

    let library: ClientLibrary

    func listTag(_ arguments: [String], _ answer: inout AnswerWriter) async throws(CommandError) {
        let name = arguments[0].lowercased()
        var rest = Array(arguments.dropFirst())
        let groups = try Self.takeGroups(&rest)
        let isFile = name == "file" || name == "filename"
        guard isFile || Tag.Named(name) != nil else {
            throw CommandError(.argument, "Unknown tag type: \(arguments[0])")
        }
        // The oldest form: the albums of an artist.
        if rest.count == 1, !rest[0].hasPrefix("(") {
            guard name == "album" else {
                throw CommandError(.argument, "should be \"Album\" for 3 arguments")
            }
            rest.insert("artist", at: 0)
        }
        let filter = rest.isEmpty ? nil : try FilterParser.filter(rest, isFolded: false)
        let catalogue = try await library.catalogue()
        let places = try await library.songs(filter, in: catalogue)
        if isFile {
            for place in places {
                answer.add("file", catalogue.songs[place].uri)
                try await answer.sendPart()
            }
            return
        }
        guard let tag = Tag.Named(name), !places.isEmpty else { return }
        try await add(places, groups + [tag], catalogue, &answer)
    }

    /// Answers with the values of the last tag, below those of the tags before it.
    private func add(
        _ places: [Int], _ levels: [Tag.Named], _ catalogue: SongCatalogue, _ answer: inout AnswerWriter
    ) async throws(CommandError) {
        guard let tag = levels.first else { return }
        let rest = Array(levels.dropFirst())
        for (value, songs) in await values(places, tag, catalogue, keepsSongs: !rest.isEmpty) {
            Self.add(tag, value, &answer)
            try await answer.sendPart()
            if !rest.isEmpty { try await add(songs, rest, catalogue, &answer) }
        }
    }

    private static func add(_ tag: Tag.Named, _ value: String, _ answer: inout AnswerWriter) {
        switch tag {
        case .known(let tag): answer.add(tag.name, value)
        case .absent(let name): answer.add(line: "\(name): \(value)")
        }
    }

    /// Returns the values of a tag, sorted, with the songs that have them. Songs without the tag have an
    /// empty one.
    private func values(
        _ places: [Int], _ tag: Tag.Named, _ catalogue: SongCatalogue, keepsSongs: Bool
    ) async -> [(value: String, songs: [Int])] {
        // A change of threads costs more than a short list.
        guard places.count > SearchWorker.stepSize else {
            return Self.values(places, tag, catalogue, keepsSongs: keepsSongs)
        }
        return await library.searches.run { Self.values(places, tag, catalogue, keepsSongs: keepsSongs) }
    }

    private static func values(
        _ places: [Int], _ tag: Tag.Named, _ catalogue: SongCatalogue, keepsSongs: Bool
    ) -> [(value: String, songs: [Int])] {
        guard case .known(let tag) = tag else { return [("", places)] }
        var found: [String: [Int]] = [:]
        for place in places {
            var hasValue = false
            catalogue.songs[place].each(tag) { value in
                hasValue = true
                if keepsSongs {
                    found[value, default: []].append(place)
                } else if found[value] == nil {
                    found[value] = []
                }
            }
            if !hasValue { found["", default: []].append(place) }
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Takes `group TAG` from the end of the arguments; the last one is the outermost.
    private static func takeGroups(_ arguments: inout [String]) throws(CommandError) -> [Tag.Named] {
        var groups: [Tag.Named] = []
        while arguments.count >= 2, arguments[arguments.count - 2] == "group" {
            guard let tag = Tag.Named(arguments[arguments.count - 1]) else {
                throw CommandError(.argument, "Unknown tag type: \(arguments[arguments.count - 1])")
            }
            // With several artists in a song, each repetition would multiply the answer.
            guard !groups.contains(tag) else { throw CommandError(.argument, "Conflicting group") }
            guard groups.count < groupLimit else { throw CommandError(.argument, "Too many groups") }
            groups.append(tag)
            arguments.removeLast(2)
        }
        return groups
    }

    func count(_ arguments: [String], _ answer: inout AnswerWriter) async throws(CommandError) {
        var rest = arguments
        let groups = try Self.takeGroups(&rest)
        let filter = rest.isEmpty ? nil : try FilterParser.filter(rest, isFolded: false)
        guard groups.count <= 1 else { throw CommandError(.argument, "Only one group is possible") }
        let catalogue = try await library.catalogue()
        let places = try await library.songs(filter, in: catalogue)
        guard let group = groups.first else { return Self.addCount(places, catalogue, &answer) }
        for (value, songs) in await values(places, group, catalogue, keepsSongs: true) {
            Self.add(group, value, &answer)
            Self.addCount(songs, catalogue, &answer)
            try await answer.sendPart()
        }
    }

    private static func addCount(
        _ places: [Int], _ catalogue: SongCatalogue, _ answer: inout AnswerWriter
    ) {
        answer.add("songs", places.count)
        let seconds = places.reduce(0.0) { sum, place in
            let own = catalogue.songs[place].duration ?? 0
            return sum + (own.isFinite && own < 1e9 ? own : 0)
        }
        answer.add("playtime", Int(seconds))
    }
}
