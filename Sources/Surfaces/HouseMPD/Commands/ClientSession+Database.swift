import TuttiMusicLibrary

/// The library, as clients browse and search it.
extension ClientSession {
    func list(_ uri: String) async throws(CommandError) {
        let catalogue = try await catalogue()
        let address = try SongAddress.folder(uri)
        guard let folder = catalogue.folder(uri: address) else {
            guard let song = catalogue.song(uri: address) else { throw CommandError.noFolder }
            return response.add(song, tags)
        }
        for song in catalogue.songs[catalogue.folders[folder].own] {
            response.add(song, tags)
            try await sendPart()
        }
        for child in catalogue.children(of: folder) { add(catalogue.folders[child]) }
        if address.isEmpty { try await listPlaylists() }
    }

    private func add(_ folder: SongCatalogue.Folder) {
        response.add("directory", folder.uri)
        if let modified = folder.modified { response.add("Last-Modified", time: modified) }
    }

    func listFiles(_ uri: String) async throws(CommandError) {
        let catalogue = try await catalogue()
        guard let folder = catalogue.folder(uri: try SongAddress.folder(uri)) else {
            throw CommandError.noFolder
        }
        func name(_ uri: String) -> String { uri.split(separator: "/").last.map(String.init) ?? uri }
        for song in catalogue.songs[catalogue.folders[folder].own] {
            response.add("file", name(song.uri))
            if let modified = song.modified { response.add("Last-Modified", time: modified) }
            try await sendPart()
        }
        for child in catalogue.children(of: folder) {
            response.add("directory", name(catalogue.folders[child].uri))
            if let modified = catalogue.folders[child].modified {
                response.add("Last-Modified", time: modified)
            }
        }
    }

    func listAll(_ uri: String, isDetailed: Bool) async throws(CommandError) {
        let catalogue = try await catalogue()
        let address = try SongAddress.folder(uri)
        guard let folder = catalogue.folder(uri: address) else {
            guard let song = catalogue.song(uri: address) else { throw CommandError.noFolder }
            return add(song, isDetailed: isDetailed)
        }
        for place in folder..<catalogue.folders[folder].lastFolder {
            let below = catalogue.folders[place]
            if isDetailed, !below.uri.isEmpty {
                add(below)
            } else if !below.uri.isEmpty {
                response.add("directory", below.uri)
            }
            for song in catalogue.songs[below.own] {
                add(song, isDetailed: isDetailed)
                try await sendPart()
            }
        }
    }

    private func add(_ song: Song, isDetailed: Bool) {
        if isDetailed { response.add(song, tags) } else { response.add("file", song.uri) }
    }

    /// Returns the places of the songs of a selection.
    func songs(
        _ selection: SongSelection, in catalogue: SongCatalogue
    ) async throws(CommandError) -> [Int] {
        try await core.searches.songs(selection, in: catalogue, isWanted: isWanted)
    }

    func find(_ arguments: [String], isFolded: Bool) async throws(CommandError) {
        let selection = try SongSelection(arguments, isFolded: isFolded)
        let catalogue = try await catalogue()
        for place in try await songs(selection, in: catalogue) {
            response.add(catalogue.songs[place], tags)
            try await sendPart()
        }
    }

    func findAdd(_ arguments: [String], isFolded: Bool) async throws(CommandError) {
        let selection = try SongSelection(arguments, isFolded: isFolded, takesPosition: true)
        let catalogue = try await catalogue()
        let places = try await songs(selection, in: catalogue)
        let items = places.map { LibraryItem.track(catalogue.songs.id(at: $0)) }
        try await add(items, at: selection.position)
    }

    func searchAddToPlaylist(_ arguments: [String]) async throws(CommandError) {
        let selection = try SongSelection(Array(arguments.dropFirst()), isFolded: true, takesPosition: true)
        let catalogue = try await catalogue()
        let places = try await songs(selection, in: catalogue)
        let items = places.map { LibraryItem.track(catalogue.songs.id(at: $0)) }
        var place: Int?
        if let position = selection.position {
            guard case .absolute(let value) = position else {
                throw CommandError(.argument, "Integer expected: a playlist has no current song")
            }
            place = value
        }
        try await add(items, toPlaylist: arguments[0], at: place)
    }

    func update() { response.add("updating_db", core.update()) }

    // MARK: One song

    /// Returns the song at an address, of the library or of a queue.
    private func song(at uri: String) async throws(CommandError) -> Song? {
        if SongAddress.isStream(uri) { return nil }
        return try await catalogue().song(uri: uri)
    }

    /// Answers with a part of a song's picture.
    ///
    /// - Parameter withType: as `readpicture`, which has an empty answer for a song without a picture.
    func picture(_ uri: String, _ offset: String, withType: Bool) async throws(CommandError) {
        let offset = try Argument.natural(offset)
        guard let song = try await song(at: uri) else {
            throw withType ? CommandError.noSong : CommandError(.missing, "No file exists")
        }
        guard let id = song.picture, let picture = await picture(id) else {
            if withType { return }
            throw CommandError(.missing, "No file exists")
        }
        guard offset <= picture.bytes.count else { throw CommandError(.argument, "Offset too large") }
        response.add("size", picture.bytes.count)
        if withType { response.add("type", picture.type) }
        response.add(binary: picture.bytes[offset...].prefix(binaryLimit))
    }

    private func picture(_ id: String) async -> (bytes: [UInt8], type: String)? {
        if let picture, picture.id == id { return (picture.bytes, picture.type) }
        guard let found = await core.library.picture(id) else { return nil }
        // Clients want the next part at once, and the next picture after the last part.
        picture = (id, found.bytes, found.mimeType)
        return (found.bytes, found.mimeType)
    }

    func readComments(_ uri: String) async throws(CommandError) {
        guard let song = try await song(at: uri) else { throw CommandError.noSong }
        for tag in Tag.allCases { song.each(tag) { response.add(tag.name, $0) } }
    }
}
