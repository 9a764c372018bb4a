import TuttiHouse

/// `status`, `currentsong` and `stats`.
extension ClientSession {
    func status() async throws(CommandError) {
        let (state, queue) = (try zoneState(), try await queue())
        let modes = core.modes(of: state.id)
        if let volume = state.shownVolume { response.add("volume", Int(nearest: volume)) }
        response.add("repeat", state.repeatMode != .off)
        response.add("random", state.shuffle)
        response.add("single", Self.single(state, modes))
        response.add("consume", modes.consumes)
        response.add("partition", core.mirror.partitionName(of: state.id) ?? state.name)
        response.add("playlist", queue.version)
        response.add("playlistlength", queue.entries.count)
        if state.crossfade > 0 { response.add("xfade", Int(nearest: state.crossfade)) }
        response.add("mixrampdb", 0)
        response.add("state", Self.word(state.state))
        addPosition(state, queue)
        if let update = core.currentUpdate { response.add("updating_db", update) }
        if let trouble = state.trouble ?? core.mirror.troubles.first {
            response.add("error", trouble.message)
        }
    }

    private func addPosition(_ state: ZoneSnapshot, _ queue: QueueMirror) {
        guard let current = state.current, let place = queue.place(of: current.id) else { return }
        response.add("song", place)
        response.add("songid", current.id.rawValue)
        if state.state != .stopped {
            let duration = queue.entries[place].track.duration ?? current.track.duration
            let elapsed = elapsed(state, duration)
            response.add("time", "\(Int(nearest: elapsed)):\(Int(nearest: duration ?? 0))")
            response.add("elapsed", seconds: elapsed)
            if let duration { response.add("duration", seconds: duration) }
        }
        guard let next = Self.next(state, place, queue) else { return }
        response.add("nextsong", next)
        response.add("nextsongid", queue.entries[next].id.rawValue)
    }

    private func elapsed(_ state: ZoneSnapshot, _ duration: Double?) -> Double {
        let later = state.state == .playing ? (core.time - state.positionTime) * state.rate : 0
        let elapsed = max(0, state.position + max(0, later))
        let limit = duration.map { $0.isFinite ? min($0, 1e9) : 1e9 } ?? 1e9
        return elapsed.isFinite ? min(elapsed, limit) : 0
    }

    /// Returns the place of the next song; `nil` if none follows, or the order is random.
    private static func next(_ state: ZoneSnapshot, _ place: Int, _ queue: QueueMirror) -> Int? {
        if state.repeatMode == .one { return place }
        guard !state.shuffle else { return nil }
        let later = queue.entries.indices.dropFirst(place + 1).first { queue.entries[$0].failure == nil }
        if let later { return later }
        return state.repeatMode == .all
            ? queue.entries.indices.first { queue.entries[$0].failure == nil } : nil
    }

    private static func single(_ state: ZoneSnapshot, _ modes: PlaybackModes) -> String {
        if state.repeatMode == .one || modes.pausesAfterEach { return "1" }
        return state.sleep == .endOfTrack ? "oneshot" : "0"
    }

    private static func word(_ state: ZoneSnapshot.State) -> String {
        switch state {
        case .stopped: "stop"
        case .playing, .waiting: "play"
        case .paused: "pause"
        }
    }

    func currentSong() async throws(CommandError) {
        let (state, queue) = (try zoneState(), try await queue())
        guard let place = state.current.flatMap({ queue.place(of: $0.id) }) else { return }
        add([place], of: queue, state, await catalogueIfAvailable())
    }

    /// Answers with entries of the queue.
    func add(
        _ places: some Sequence<Int>, of queue: QueueMirror, _ state: ZoneSnapshot,
        _ catalogue: SongCatalogue?
    ) {
        for place in places {
            let entry = queue.entries[place]
            var song = core.song(entry.track, catalogue)
            if entry.id == state.current?.id, let title = state.streamTitle { song.title = title }
            response.add(song, tags)
            response.add("Pos", place)
            response.add("Id", entry.id.rawValue)
        }
    }

    func statistics() async throws(CommandError) {
        let library = core.mirror.library
        let catalogue = await catalogueIfAvailable()
        response.add("uptime", Int(nearest: max(0, core.time - core.started)))
        response.add("playtime", 0)
        response.add("artists", library.artists)
        response.add("albums", library.albums)
        response.add("songs", library.tracks)
        response.add("db_playtime", Int(nearest: catalogue?.duration ?? 0))
        response.add("db_update", await core.catalogue.lastUpdate ?? Int64(Int(nearest: core.started)))
    }
}
