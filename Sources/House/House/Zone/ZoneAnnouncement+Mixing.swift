import Playback
import Synchronization

extension ZoneAnnouncement {
    /// The most seconds until an announcement that is mixed in is heard: rooms that cannot change what they hold yet are
    /// tried for two seconds, and realtime rooms hold up to three.
    private static let longestLead = 6.0

    /// Whether the announcement can be mixed into what a zone plays now.
    func canBeMixed(into zone: Zone) -> Bool {
        zone.wish == .playing && zone.isConnected && zone.announcement == nil && !musicEndsMeanwhile(in: zone)
    }

    /// Whether the entry that plays may end before an announcement for which it is to wait: the next entry would be shown,
    /// and removed from a queue of MPD that consumes, although nobody heard the end of this one.
    private func musicEndsMeanwhile(in zone: Zone) -> Bool {
        guard pausesMusic, let position = zone.player.position,
            let track = zone.queue.entry(position.entry)?.track, !track.isLive, let duration = track.duration
        else { return false }
        let left = (duration - position.seconds) / zone.stored.rate - zone.stored.crossfade
        return left < sound.seconds + Self.longestLead
    }

    /// Mixes the announcement into a zone's music, which continues, or goes back to where it was. Only one that was heard or
    /// cancelled has an effect.
    nonisolated(nonsending) func mix(
        into zone: Zone
    ) async -> (outcome: RouteAnnouncement.Outcome, effect: ZoneEffect) {
        let lead = Mutex<Double?>(nil)
        let asked = ContinuousClock.now
        let (position, rate) = (zone.player.position, zone.stored.rate)
        let outcome = await zone.player.mix(self) { seconds in
            let sinceAsked = (ContinuousClock.now - asked) / .seconds(1)
            lead.withLock { $0 = sinceAsked + seconds }
        }
        guard pausesMusic, outcome == .heard || outcome == .cancelled, zone.wish == .playing,
            let position, let lead = lead.withLock({ $0 }),
            zone.queue.entry(position.entry)?.track.isLive == false
        else { return (outcome, []) }
        return (outcome, zone.playback.goBack(to: position.entry, position.seconds + lead * rate))
    }
}
