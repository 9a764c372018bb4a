/// Levelling and crossfade of zones.
extension House {
    /// The crossfades that a zone takes, in seconds.
    static let crossfades = 0.0...12.0

    func setLevelling(_ levelling: VolumeLevelling, of zone: Zone) {
        guard levelling != zone.stored.levelling else { return }
        zone.stored.levelling = levelling
        zone.player.setSound(zone.sound)
        changed(zone)
    }

    func setCrossfade(_ seconds: Double, of zone: Zone) throws(HouseError) {
        guard Self.crossfades.contains(seconds) else {
            throw HouseError(.invalid, "A crossfade takes 0 to 12 seconds; 0 turns it off.")
        }
        // Tenths of a second are whole frames at all usual sample rates.
        let seconds = (seconds * 10).rounded() / 10
        guard seconds != zone.stored.crossfade else { return }
        zone.stored.crossfade = seconds
        zone.player.setSound(zone.sound)
        changed(zone)
    }
}

extension Zone {
    /// The changes that the zone makes to the sound of its tracks.
    var sound: ZoneSound { ZoneSound(levelling: stored.levelling, crossfade: stored.crossfade) }
}
