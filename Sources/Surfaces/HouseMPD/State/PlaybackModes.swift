import TuttiHouse

/// Modes of the protocol that the house does not have: a queue that loses its songs as they have played, and
/// playback that ends after each song. A value; one for each zone.
struct PlaybackModes: Sendable, Hashable {
    var consumes = false
    /// Whether playback pauses at the end of each song; without this, at most at the end of one.
    var pausesAfterEach = false
    /// The entry that a client has chosen: the song before it was not played to its end.
    var chosen: EntryID?
    /// The entry that a client's `next` leaves, which counts as played.
    var skipped: EntryID?

    /// Returns the commands that follow from a change of a zone.
    mutating func commands(from old: ZoneSnapshot, to new: ZoneSnapshot) -> [HouseCommand] {
        var commands: [HouseCommand] = []
        if pausesAfterEach {
            if new.repeatMode == .one {
                pausesAfterEach = false
            } else if new.sleep == nil, new.state == .playing {
                commands.append(.sleepAtEndOfTrack(new.id))
            }
        }
        guard let before = old.current?.id else { return commands }
        let isSame = before == new.current?.id
        let hasEnded = Self.hasEnded(old, new)
        guard !isSame || new.state == .stopped && hasEnded else { return commands }
        defer { (chosen, skipped) = (nil, nil) }
        // Leaving a song, as by going back or choosing another, is no end of it.
        let isChosen = !isSame && chosen != nil && chosen == new.current?.id
        if consumes, skipped == before || hasEnded && !isChosen {
            commands.append(.remove(new.id, [before]))
        }
        return commands
    }

    /// Whether the current song has played to its end, where a player waits for more before the zone stops.
    private static func hasEnded(_ old: ZoneSnapshot, _ new: ZoneSnapshot) -> Bool {
        guard let duration = old.current?.track.duration else { return false }
        switch old.state {
        case .playing:
            return old.position + (new.positionTime - old.positionTime) * old.rate > duration - endTolerance
        case .waiting: return old.position > duration - endTolerance
        case .stopped, .paused: return false
        }
    }

    /// Seconds by which the end of a song may differ from its tags.
    private static let endTolerance = 1.5
}
