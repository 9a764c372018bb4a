import TuttiHouse

/// Playback of the client's zone.
struct PlaybackCommands: Sendable {
    let core: ServerCore
    let zone: ClientZone

    func play(_ place: String?) async throws(CommandError) {
        guard let place, place != "-1" else {
            let state = try zone.state()
            if state.length == 0 { return }
            try await zone.perform(.play(state.id))
            return
        }
        try await choose(try await zone.entry(at: place).entry.id)
    }

    func play(id: String?) async throws(CommandError) {
        guard let id, id != "-1" else { return try await play(nil) }
        try await choose(try await zone.entry(id: id).entry.id)
    }

    /// Plays an entry, which is no end of the one before it.
    private func choose(_ id: EntryID) async throws(CommandError) {
        let own = zone.id
        core.changeModes(of: own) { $0.chosen = id }
        try await zone.perform(.jump(own, id))
    }

    func pause(_ value: String?) async throws(CommandError) {
        let state = try zone.state()
        let pauses = try value.map { value throws(CommandError) in try Argument.boolean(value) }
        // Neither form starts a zone that is stopped.
        guard state.state != .stopped else { return }
        switch pauses {
        case nil: try await zone.perform(.toggle(state.id))
        case true?: try await zone.perform(.pause(state.id))
        case false?: try await zone.perform(.play(state.id))
        }
    }

    func stop() async throws(CommandError) { try await zone.perform(.stop(zone.id)) }

    func next() async throws(CommandError) {
        let state = try playingState()
        core.changeModes(of: state.id) { $0.skipped = state.current?.id }
        do throws(CommandError) { try await zone.perform(.next(state.id)) } catch {
            core.changeModes(of: state.id) { $0.skipped = nil }
            throw error
        }
    }

    /// Goes to the song before, wherever the current one is: the house's own command goes to its beginning first.
    func previous() async throws(CommandError) {
        let state = try playingState()
        let queue = try await zone.queue()
        // The house alone knows a random order.
        guard !state.shuffle, let place = state.current.flatMap({ queue.place(of: $0.id) }),
            let before = Self.previous(place, in: queue, wraps: state.repeatMode == .all)
        else {
            try await zone.perform(.previous(state.id))
            return
        }
        try await choose(before)
    }

    /// Returns the last entry before a place that can be played; at the beginning, the last one of all if the
    /// queue repeats, else `nil`.
    private static func previous(_ place: Int, in queue: QueueMirror, wraps: Bool) -> EntryID? {
        let before = queue.entries[..<place].last { $0.failure == nil }
        if let before { return before.id }
        return wraps ? queue.entries.last { $0.failure == nil }?.id : nil
    }

    /// The state of a zone that plays or pauses.
    private func playingState() throws(CommandError) -> ZoneSnapshot {
        let state = try zone.state()
        guard state.state != .stopped else { throw CommandError(.notPlaying, "Not playing") }
        return state
    }

    func seek(_ place: String, _ time: String) async throws(CommandError) {
        let seconds = try Argument.seconds(time)
        try await seek(to: try await zone.entry(at: place).entry.id, seconds)
    }

    func seek(id: String, _ time: String) async throws(CommandError) {
        let seconds = try Argument.seconds(time)
        try await seek(to: try await zone.entry(id: id).entry.id, seconds)
    }

    private func seek(to id: EntryID, _ seconds: Double) async throws(CommandError) {
        let state = try zone.state()
        if state.current?.id != id || state.state == .stopped { try await choose(id) }
        try await zone.perform(.seek(state.id, seconds: seconds))
    }

    func seekCurrent(_ time: String) async throws(CommandError) {
        let value = try Argument.number(time)
        let state = try playingState()
        let isRelative = time.hasPrefix("+") || time.hasPrefix("-")
        try await zone.perform(isRelative ? .skip(state.id, seconds: value) : .seek(state.id, seconds: value))
    }
}
