import Playback

/// Edits of a zone's queue.
extension Zone {
    /// Adds entries, and plays the first if its place says so.
    func insert(
        _ entries: [QueueEntry], at place: QueuePlace, hasRooms: Bool
    ) throws(HouseError) -> ZoneEffect {
        follow()
        do throws(PlayQueueError<EntryID>) { try queue.insert(entries, at: place) } catch {
            throw HouseError(error)
        }
        if queue.currentID == nil { queue.setCurrent(queue.order.first) }
        guard place == .now || place == .replace else { return edited() }
        return try jump(to: entries[0].id, hasRooms: hasRooms)
    }

    func remove(_ entries: [EntryID]) -> ZoneEffect {
        follow()
        let wasCurrentRemoved = queue.remove(entries)
        if wasCurrentRemoved { stored.position = 0 }
        if queue.currentID == nil, wasCurrentRemoved { return finish() }
        return edited()
    }

    func move(_ entries: [EntryID], before target: EntryID?) throws(HouseError) -> ZoneEffect {
        follow()
        do throws(PlayQueueError<EntryID>) { try queue.move(entries, before: target) } catch {
            throw HouseError(error)
        }
        return edited()
    }

    func clear() -> ZoneEffect {
        queue.clear()
        return stop()
    }

    func setShuffle(_ isOn: Bool) -> ZoneEffect {
        guard isOn != queue.isShuffled else { return [] }
        follow()
        queue.setShuffled(isOn)
        return edited()
    }

    func setRepeat(_ mode: RepeatMode) -> ZoneEffect {
        guard mode != queue.repeatMode else { return [] }
        follow()
        queue.repeatMode = mode
        return edited()
    }
}
