import TuttiHouse

/// The queue, as clients read it.
struct QueueCommands: Sendable {
    let core: ServerCore
    let zone: ClientZone
    let library: ClientLibrary

    func currentSong(_ answer: inout AnswerWriter) async throws(CommandError) {
        let (state, queue) = (try zone.state(), try await zone.queue())
        guard let place = state.current.flatMap({ queue.place(of: $0.id) }) else { return }
        add(place, of: queue, state, await library.catalogueIfAvailable(), &answer)
    }

    /// Answers with an entry of the queue.
    private func add(
        _ place: Int, of queue: QueueMirror, _ state: ZoneSnapshot, _ catalogue: SongCatalogue?,
        _ answer: inout AnswerWriter
    ) {
        let entry = queue.entries[place]
        var song = core.song(entry.track, catalogue)
        if entry.id == state.current?.id, let title = state.streamTitle { song.title = title }
        answer.add(song)
        answer.add("Pos", place)
        answer.add("Id", entry.id.rawValue)
    }

    func playlist(_ answer: inout AnswerWriter) async throws(CommandError) {
        let queue = try await zone.queue()
        let catalogue = await library.catalogueIfAvailable()
        for (place, entry) in queue.entries.enumerated() {
            answer.add(line: "\(place):file: \(core.song(entry.track, catalogue).uri)")
            try await answer.sendPart()
        }
    }

    func playlistInfo(_ range: String?, _ answer: inout AnswerWriter) async throws(CommandError) {
        let queue = try await zone.queue()
        var places = 0..<queue.entries.count
        if let range, range != "-1" { places = try queue.places(in: range) }
        try await add(places, of: queue, &answer)
    }

    func playlistID(_ id: String?, _ answer: inout AnswerWriter) async throws(CommandError) {
        guard let id else { return try await playlistInfo(nil, &answer) }
        let found = try await zone.entry(id: id)
        try await add([found.place], of: found.queue, &answer)
    }

    /// Answers with entries of the queue, in parts.
    private func add(
        _ places: some Sequence<Int>, of queue: QueueMirror, _ answer: inout AnswerWriter
    ) async throws(CommandError) {
        let (state, catalogue) = (try zone.state(), await library.catalogueIfAvailable())
        for place in places {
            add(place, of: queue, state, catalogue, &answer)
            try await answer.sendPart()
        }
    }

    func playlistFind(
        _ arguments: [String], isFolded: Bool, _ answer: inout AnswerWriter
    ) async throws(CommandError) {
        let selection = try SongSelection(arguments, isFolded: isFolded)
        let queue = try await zone.queue()
        let catalogue = await library.catalogueIfAvailable()
        let songs = await library.searches.run { [core] in
            SongCatalogue(songs: queue.entries.map { core.song($0.track, catalogue) })
        }
        try await add(try await library.songs(selection, in: songs), of: queue, &answer)
    }

    /// Answers with the entries whose places have changed since a version.
    ///
    /// - Parameter isBrief: Whether places and ids are enough.
    func changes(
        _ arguments: [String], isBrief: Bool, _ answer: inout AnswerWriter
    ) async throws(CommandError) {
        // Clients without a version send -1.
        let known = try Argument.integer(arguments[0])
        let queue = try await zone.queue()
        var places = known < 0 ? Array(queue.entries.indices) : queue.changes(since: known)
        if arguments.count > 1 {
            let range = try Argument.range(arguments[1], count: queue.entries.count)
            places = places.filter(range.contains)
        }
        guard isBrief else { return try await add(places, of: queue, &answer) }
        for place in places {
            answer.add("cpos", place)
            answer.add("Id", queue.entries[place].id.rawValue)
            try await answer.sendPart()
        }
    }
}
