import TuttiHouse

/// `status` and `stats`.
struct StatusCommands: Sendable {
    let core: ServerCore
    let zone: ClientZone
    let library: ClientLibrary

    func status(_ answer: inout AnswerWriter) async throws(CommandError) {
        let (state, queue) = (try zone.state(), try await zone.queue())
        let modes = core.modes(of: state.id)
        if let volume = state.shownVolume { answer.add("volume", Int(nearest: volume)) }
        answer.add("repeat", state.repeatMode != .off)
        answer.add("random", state.shuffle)
        answer.add("single", Self.single(state, modes))
        answer.add("consume", modes.consumes)
        answer.add("partition", core.mirror.partitionName(of: state.id) ?? state.name)
        answer.add("playlist", queue.version)
        answer.add("playlistlength", queue.entries.count)
        if state.crossfade > 0 { answer.add("xfade", Int(nearest: state.crossfade)) }
        answer.add("mixrampdb", 0)
        answer.add("state", Self.word(state.state))
        addPosition(state, queue, &answer)
        if let update = core.currentUpdate { answer.add("updating_db", update) }
        if let trouble = state.trouble ?? core.mirror.troubles.first {
            answer.add("error", trouble.message)
        }
    }

    private func addPosition(
        _ state: ZoneSnapshot, _ queue: QueueMirror, _ answer: inout AnswerWriter
    ) {
        guard let current = state.current, let place = queue.place(of: current.id) else { return }
        answer.add("song", place)
        answer.add("songid", current.id.rawValue)
        if state.state != .stopped {
            let duration = queue.entries[place].track.duration ?? current.track.duration
            let elapsed = elapsed(state, duration)
            answer.add("time", "\(Int(nearest: elapsed)):\(Int(nearest: duration ?? 0))")
            answer.add("elapsed", seconds: elapsed)
            if let duration { answer.add("duration", seconds: duration) }
        }
        guard let next = Self.next(state, place, queue) else { return }
        answer.add("nextsong", next)
        answer.add("nextsongid", queue.entries[next].id.rawValue)
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

    func statistics(_ answer: inout AnswerWriter) async {
        let state = core.mirror.library
        let catalogue = await library.catalogueIfAvailable()
        answer.add("uptime", Int(nearest: max(0, core.time - core.started)))
        answer.add("playtime", 0)
        answer.add("artists", state.artists)
        answer.add("albums", state.albums)
        answer.add("songs", state.tracks)
        answer.add("db_playtime", Int(nearest: catalogue?.duration ?? 0))
        answer.add("db_update", await core.catalogue.lastUpdate ?? Int64(Int(nearest: core.started)))
    }
}
