import TuttiMusicLibrary

/// The library, as clients browse and search it.
struct DatabaseCommands: Sendable {
    let core: ServerCore
    let zone: ClientZone
    let library: ClientLibrary
    let playlists: StoredPlaylists

    func list(_ uri: String, _ answer: inout AnswerWriter) async throws(CommandError) {
        let catalogue = try await library.catalogue()
        let address = try SongAddress.folder(uri)
        guard let folder = catalogue.folder(uri: address) else {
            guard let song = catalogue.song(uri: address) else { throw CommandError.noFolder }
            return answer.add(song)
        }
        for song in catalogue.songs[catalogue.folders[folder].own] {
            answer.add(song)
            try await answer.sendPart()
        }
        for child in catalogue.children(of: folder) { Self.add(catalogue.folders[child], &answer) }
        if address.isEmpty { try await playlists.list(&answer) }
    }

    private static func add(_ folder: SongCatalogue.Folder, _ answer: inout AnswerWriter) {
        answer.add("directory", folder.uri)
        if let modified = folder.modified { answer.add("Last-Modified", time: modified) }
    }

    func listFiles(_ uri: String, _ answer: inout AnswerWriter) async throws(CommandError) {
        let catalogue = try await library.catalogue()
        guard let folder = catalogue.folder(uri: try SongAddress.folder(uri)) else {
            throw CommandError.noFolder
        }
        func name(_ uri: String) -> String { uri.split(separator: "/").last.map(String.init) ?? uri }
        for song in catalogue.songs[catalogue.folders[folder].own] {
            answer.add("file", name(song.uri))
            if let modified = song.modified { answer.add("Last-Modified", time: modified) }
            try await answer.sendPart()
        }
        for child in catalogue.children(of: folder) {
            answer.add("directory", name(catalogue.folders[child].uri))
            if let modified = catalogue.folders[child].modified {
                answer.add("Last-Modified", time: modified)
            }
        }
    }

    func listAll(
        _ uri: String, isDetailed: Bool, _ answer: inout AnswerWriter
    ) async throws(CommandError) {
        let catalogue = try await library.catalogue()
        let address = try SongAddress.folder(uri)
        guard let folder = catalogue.folder(uri: address) else {
            guard let song = catalogue.song(uri: address) else { throw CommandError.noFolder }
            return Self.add(song, isDetailed: isDetailed, &answer)
        }
        for place in folder..<catalogue.folders[folder].lastFolder {
            let below = catalogue.folders[place]
            if isDetailed, !below.uri.isEmpty {
                Self.add(below, &answer)
            } else if !below.uri.isEmpty {
                answer.add("directory", below.uri)
            }
            for song in catalogue.songs[below.own] {
                Self.add(song, isDetailed: isDetailed, &answer)
                try await answer.sendPart()
            }
        }
    }

    private static func add(_ song: Song, isDetailed: Bool, _ answer: inout AnswerWriter) {
        if isDetailed { answer.add(song) } else { answer.add("file", song.uri) }
    }

    func find(
        _ arguments: [String], isFolded: Bool, _ answer: inout AnswerWriter
    ) async throws(CommandError) {
        let selection = try SongSelection(arguments, isFolded: isFolded)
        let catalogue = try await library.catalogue()
        for place in try await library.songs(selection, in: catalogue) {
            answer.add(catalogue.songs[place])
            try await answer.sendPart()
        }
    }

    func findAdd(_ arguments: [String], isFolded: Bool) async throws(CommandError) {
        let selection = try SongSelection(arguments, isFolded: isFolded, takesPosition: true)
        let catalogue = try await library.catalogue()
        let places = try await library.songs(selection, in: catalogue)
        let items = places.map { LibraryItem.track(catalogue.songs.id(at: $0)) }
        try await zone.add(items, at: selection.position)
    }

    func update(_ answer: inout AnswerWriter) { answer.add("updating_db", core.update()) }

    func readComments(_ uri: String, _ answer: inout AnswerWriter) async throws(CommandError) {
        guard let song = try await library.song(at: uri) else { throw CommandError.noSong }
        for tag in Tag.allCases { song.each(tag) { answer.add(tag.name, $0) } }
    }
}
