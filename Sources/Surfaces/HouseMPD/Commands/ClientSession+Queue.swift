import TuttiHouse

/// The queue, as clients read it.
extension ClientSession {
    func playlist() async throws(CommandError) {
        let queue = try await queue()
        let catalogue = await catalogueIfAvailable()
        for (place, entry) in queue.entries.enumerated() {
            response.add(line: "\(place):file: \(core.song(entry.track, catalogue).uri)")
            try await sendPart()
        }
    }

    func playlistInfo(_ range: String?) async throws(CommandError) {
        let queue = try await queue()
        var places = 0..<queue.entries.count
        if let range, range != "-1" { places = try self.places(range, in: queue) }
        try await answer(places, of: queue)
    }

    /// Returns the places of a range, which may reach beyond the end; a single place may not.
    func places(_ range: String, in queue: QueueMirror) throws(CommandError) -> Range<Int> {
        let wanted = try Argument.range(range, count: queue.entries.count)
        guard range.contains(":") || wanted.upperBound <= queue.entries.count else {
            throw CommandError.badIndex
        }
        return wanted.clamped(to: 0..<queue.entries.count)
    }

    func playlistID(_ id: String?) async throws(CommandError) {
        guard let id else { return try await playlistInfo(nil) }
        let found = try await entry(id: id)
        try await answer([found.place], of: found.queue)
    }

    /// Answers with entries of the queue, in parts.
    private func answer(_ places: some Sequence<Int>, of queue: QueueMirror) async throws(CommandError) {
        let (state, catalogue) = (try zoneState(), await catalogueIfAvailable())
        for place in places {
            add([place], of: queue, state, catalogue)
            try await sendPart()
        }
    }

    func playlistFind(_ arguments: [String], isFolded: Bool) async throws(CommandError) {
        let selection = try SongSelection(arguments, isFolded: isFolded)
        let queue = try await queue()
        let catalogue = await catalogueIfAvailable()
        let songs = await core.searches.run { [core] in
            SongCatalogue(songs: queue.entries.map { core.song($0.track, catalogue) })
        }
        try await answer(try await self.songs(selection, in: songs), of: queue)
    }

    /// Answers with the entries whose places have changed since a version.
    ///
    /// - Parameter isBrief: whether places and ids are enough.
    func changes(_ arguments: [String], isBrief: Bool) async throws(CommandError) {
        // Clients without a version send -1.
        let known = try Argument.integer(arguments[0])
        let queue = try await queue()
        var places = known < 0 ? Array(queue.entries.indices) : queue.changes(since: known)
        if arguments.count > 1 {
            let range = try Argument.range(arguments[1], count: queue.entries.count)
            places = places.filter(range.contains)
        }
        guard isBrief else { return try await answer(places, of: queue) }
        for place in places {
            response.add("cpos", place)
            response.add("Id", queue.entries[place].id.rawValue)
            try await sendPart()
        }
    }
}
