import Playback
import TuttiMusicLibrary

/// The beginning of an alarm's music in its zone.
struct AlarmRing {
    /// The least seconds in which an alarm raises music that was lowered.
    private static let shortestRise = 10.0

    let alarm: Alarm
    /// The alarm's own music; empty for the zone's queue.
    let tracks: [PlayableTrack]
    let zones: ZoneRegistry
    private var settings: RoomSettings { RoomSettings(zones: zones) }

    /// Lets a zone play.
    ///
    /// - Returns: The work that is left to the house, and why the zone cannot play; `nil` if it plays.
    func begin(in zone: Zone) throws(HouseError) -> (effect: ZoneEffect, refusal: HouseError?) {
        try zone.requireRooms(zones.hasRooms(zone))
        // A timer of the evening before must not end the morning's music.
        zone.stored.sleep = nil
        // Music that plays keeps its volume, and does not jump back to it: a sleeper would be startled.
        if tracks.isEmpty, zone.wish == .playing {
            settings.raiseLoweredVolumes(of: zone, within: max(alarm.fadeSeconds, Self.shortestRise))
            return (.changed, nil)
        }
        try settings.beginRise(of: alarm, in: zone)
        guard tracks.isEmpty else { return (try beginTracks(in: zone), nil) }
        do throws(HouseError) {
            return (try zone.play(hasRooms: zones.hasRooms(zone)), nil)
        } catch {
            zone.fade.endRise()
            return (.changed, error)
        }
    }

    /// Plays the alarm's own music in place of the zone's queue.
    private func beginTracks(in zone: Zone) throws(HouseError) -> ZoneEffect {
        zone.follow()
        let entries = zones.newEntries(Array(tracks.prefix(HouseQueueLimits.entries)))
        do throws(PlayQueueError<EntryID>) {
            try zone.playback.queue.insert(entries, at: .replace)
        } catch {
            throw HouseError(error)
        }
        return try zone.jump(to: entries[0].id, hasRooms: zones.hasRooms(zone))
    }
}
