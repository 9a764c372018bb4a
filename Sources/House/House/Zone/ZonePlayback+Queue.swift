import Playback

/// Edits of a zone's queue.
extension ZonePlayback {
    func insert(_ entries: [QueueEntry], at place: QueuePlace) throws(HouseError) {
        follow()
        do throws(PlayQueueError<EntryID>) { try queue.insert(entries, at: place) } catch {
            throw HouseError(error)
        }
        if queue.currentID == nil { queue.setCurrent(queue.order.first) }
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
