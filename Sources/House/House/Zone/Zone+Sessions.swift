import AirPlaySender

/// The sessions of a zone with its rooms.
extension Zone {
    /// Plays to these rooms, and to no others.
    ///
    /// - Returns: The rooms that left, and are free.
    nonisolated(nonsending) func hold(_ ready: [ZoneRoom]) async -> Set<RoomID> {
        let new = Set(ready.map(\.id))
        held.formUnion(new)
        for room in ready { heldAddresses[room.id] = room.targets.map(\.addresses) }
        if new.isEmpty {
            isConnected = false
            player.setRate(0)
            await player.release()
        } else {
            await player.setRooms(ready)
            isConnected = true
        }
        let left = held.subtracting(new)
        held = new
        for room in left { heldAddresses[room] = nil }
        return left
    }

    /// Plays an announcement in these rooms, and nothing else; the last call.
    nonisolated(nonsending) func playAlone(_ part: ZoneAnnouncement, in ready: [ZoneRoom]) async {
        held = Set(ready.map(\.id))
        if ready.isEmpty {
            log(.warning, "no room could be opened for the announcement")
        } else {
            await player.setRooms(ready)
            await player.play(part)
        }
        await player.close().value
    }
}
