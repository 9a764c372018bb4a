/// Playback of a zone, whose rooms an input may have meanwhile.
extension Zone {
    /// Seconds that a zone keeps its rooms after the end of its queue, in which the last frames are heard.
    ///
    /// They are few: with PulseAudio, shairport-sync runs dry then, and the next session is silent for as long as it did
    /// (*observed*, 5.1-dev).
    private static let endSeconds = 2.0

    func requireRooms(_ hasRooms: Bool) throws(HouseError) {
        guard !hasRooms else { return }
        throw HouseError(.conflict, "\(stored.name) has no rooms to play in; choose one first.")
    }

    /// Goes on playing after a restart, if the zone played.
    func resume(hasRooms: Bool) -> ZoneEffect {
        guard wish == .playing else { return .told }
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

    /// Takes the passing of time: pauses at the end of the sleep timer, and lets the rooms go after a while without sound.
    ///
    /// - Parameter idleSeconds: The time that a paused zone keeps its rooms.
    func tick(at time: Double, idleSeconds: Double) -> ZoneEffect {
        var effect: ZoneEffect = []
        if case .at(let end) = stored.sleep, time >= end { effect = sleepNow() }
        let limit = wish == .stopped ? Self.endSeconds : idleSeconds
        if let since = idleSince, isOpen, time - since >= limit {
            follow()
            effect.formUnion(playback.close())
        }
        return effect
    }

    private func sleepNow() -> ZoneEffect {
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
