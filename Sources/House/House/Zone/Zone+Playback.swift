/// Playback of a zone, whose rooms an input may have meanwhile.
extension Zone {
    func requireRooms(_ hasRooms: Bool) throws(HouseError) {
        guard !hasRooms else { return }
        throw HouseError(.conflict, "\(stored.name) has no rooms to play in; choose one first.")
    }

    /// Goes on playing after a restart.
    func resume(hasRooms: Bool) -> ZoneEffect {
        guard !queue.isEmpty, hasRooms else {
            stored.wish = .paused
            return .changed
        }
        return begin()
    }

    func play(hasRooms: Bool) throws(HouseError) -> ZoneEffect {
        guard wish != .playing else { return [] }
        try requireRooms(hasRooms)
        follow()
        guard !queue.isEmpty else {
            throw HouseError(.conflict, "The queue of \(stored.name) is empty; add something first.")
        }
        return begin()
    }

    private func begin() -> ZoneEffect {
        letInputGo()
        return playback.begin()
    }

    func pause() -> ZoneEffect { pauseInput() ?? playback.pause() }

    func stop() -> ZoneEffect {
        letInputGo()
        return playback.stop()
    }

    func jump(to entry: EntryID, hasRooms: Bool) throws(HouseError) -> ZoneEffect {
        try playback.choose(entry)
        // Without rooms, the entry waits for one.
        return hasRooms ? begin() : stop()
    }

    /// Adds entries, and plays the first if its place says so.
    func insert(
        _ entries: [QueueEntry], at place: QueuePlace, hasRooms: Bool
    ) throws(HouseError) -> ZoneEffect {
        try playback.insert(entries, at: place)
        guard place == .now || place == .replace else { return playback.edited() }
        return try jump(to: entries[0].id, hasRooms: hasRooms)
    }

    func clear() -> ZoneEffect {
        playback.queue.clear()
        return stop()
    }

    func sleepNow() -> ZoneEffect {
        stored.sleep = nil
        log(.notice, "\(stored.name): the sleep timer pauses")
        return pause().union(.changed)
    }

    func handle(_ event: ZoneEvent) -> ZoneEffect {
        // An input or an announcement has the rooms meanwhile.
        if case .interrupted = event, input != nil || announcement != nil { return [] }
        return playback.handle(event)
    }
}
