/// The settings of a zone by users, besides its queue.
extension StoredZone {
    /// The rates that a player keeps the pitch at.
    private static let rates = 0.5...2.0
    /// The crossfades that a zone takes, in seconds.
    private static let crossfades = 0.0...12.0

    /// The changes that the zone makes to the sound of its tracks.
    var sound: ZoneSound { ZoneSound(levelling: levelling, crossfade: crossfade) }

    /// - Returns: Whether this changed it.
    mutating func setRate(_ new: Double) throws(HouseError) -> Bool {
        guard Self.rates.contains(new) else {
            throw HouseError(.invalid, "The rate must be between 0.5 and 2.")
        }
        guard new != rate else { return false }
        rate = new
        return true
    }

    /// Sets the sleep timer; `nil` turns it off.
    mutating func setSleep(after seconds: Double?, at time: Double) throws(HouseError) {
        guard seconds.map((1...86_400).contains) ?? true else {
            throw HouseError(.invalid, "The sleep timer must be between 1 second and 24 hours.")
        }
        sleep = seconds.map { SleepTimer.at(time + $0) }
    }

    /// - Returns: Whether this changed it.
    mutating func setSleepFade(_ seconds: Double) throws(HouseError) -> Bool {
        guard seconds.isFinite, ZoneFade.lengths.contains(seconds) else {
            throw HouseError(.invalid, "The fade-out of the sleep timer must be between 0 and 600 seconds.")
        }
        guard sleepFade != seconds else { return false }
        sleepFade = seconds
        return true
    }

    /// - Returns: Whether this changed it.
    mutating func setLevelling(_ new: VolumeLevelling) -> Bool {
        guard new != levelling else { return false }
        levelling = new
        return true
    }

    /// - Returns: Whether this changed it.
    mutating func setCrossfade(_ seconds: Double) throws(HouseError) -> Bool {
        guard Self.crossfades.contains(seconds) else {
            throw HouseError(.invalid, "The crossfade must be between 0 and 12 seconds; 0 turns it off.")
        }
        // Tenths of a second are whole frames at all usual sample rates.
        let seconds = (seconds * 10).rounded() / 10
        guard seconds != crossfade else { return false }
        crossfade = seconds
        return true
    }
}
