import Playback

/// The move of what a zone plays to another zone.
extension ZoneRegistry {
    /// Moves a zone's queue and playback to another zone, and stops the first.
    ///
    /// - Parameter carryOut: Carries out at once the work that a change of a zone leaves to the house.
    func transfer(
        _ source: Zone, to target: Zone, carryOut: (ZoneEffect, Zone) -> Void
    ) throws(HouseError) {
        guard source !== target else { return }
        source.follow()
        guard !source.queue.isEmpty else {
            throw HouseError(.conflict, "\(source.stored.name) has nothing to move: its queue is empty.")
        }
        let (wish, position, rate) = (source.wish, source.position, source.stored.rate)
        let sleep = source.stored.sleep
        let copies = newEntries(source.queue.entries.map(\.track))
        carryOut(target.stop(), target)
        target.playback.queue = HouseQueue(
            copying: source.queue, as: copies, revision: target.queue.revision + 1)
        target.stored.position = position
        target.stored.rate = rate
        target.stored.sleep = sleep
        (target.playback.streamTitle, target.trouble) = (nil, nil)
        carryOut(source.clear(), source)
        target.stored.wish = wish == .stopped ? .stopped : .paused
        // Without rooms, it waits for one.
        guard wish == .playing, hasRooms(target) else { return carryOut(.changed, target) }
        carryOut(try target.play(hasRooms: true), target)
    }
}
