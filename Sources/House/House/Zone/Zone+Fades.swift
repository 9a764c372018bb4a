/// The volumes of a zone that falls asleep or wakes. Users see the volumes that they have set; only the speakers get
/// others.
extension Zone {
    /// Seconds after a pause in which sound may still be heard: the volumes return later.
    private static let restSeconds = 2.0

    /// Brings the volumes of the rooms to where the fade is now, if the zone has one.
    ///
    /// - Parameter volume: Returns the volume that a user has set for a room; `nil` for a room whose volume is to stay.
    func updateFade(volume: (RoomID) -> Double?) {
        let moment = fadeMoment
        fade.advance(to: moment)
        for room in held {
            guard let own = volume(room), let new = fade.volume(of: room, own: own, at: moment) else {
                continue
            }
            player.setVolume(new, of: room)
        }
        for room in fade.lowered where !held.contains(room) { fade.forget(room) }
    }

    /// Seconds to the next step; `nil` if the zone does not fade.
    var fadeInterval: Double? { fade.interval(at: fadeMoment) }

    /// Returns the volume with which a room's session is to begin.
    ///
    /// - Parameter own: The volume that a user has set.
    func beginningVolume(of room: RoomID, own: Double?) -> Double? {
        guard let own else { return nil }
        let share = fade.share(of: room, at: fadeMoment)
        guard share < 1 else { return own }
        if !held.contains(room) { fade.note(own * share, of: room) }
        return own * share
    }

    /// Lets a room have the volume that a user has set, whatever fades.
    func touchVolume(of room: RoomID) { fade.touch(room, remaining: sleepRemaining) }

    /// Lets the volumes of rooms that the fade has lowered rise together, from the least share of them.
    func raiseLoweredVolumes(of rooms: [RoomID], within seconds: Double, volume: (RoomID) -> Double?) {
        let lowered = fade.lowered.filter { rooms.contains($0) }
        let shares = lowered.compactMap { room -> Double? in
            guard let own = volume(room), own > 0 else { return nil }
            return fade.lowered(room).map { min(1, $0 / own) }
        }
        guard let least = shares.min() else { return }
        fade.beginRise(seconds, from: least, sparing: held.subtracting(lowered))
    }

    /// Gives a room that leaves its own volume, for whoever has it next.
    func restoreVolume(of room: RoomID, own: Double?) {
        guard fade.lowered(room) != nil, let own else { return }
        fade.forget(room)
        player.setVolume(own, of: room)
    }

    private var fadeMoment: ZoneFade.Moment {
        let time = now()
        return ZoneFade.Moment(
            time: time, remaining: sleepRemaining, length: stored.sleepFade, isToPlay: isToPlay,
            playsQueue: wish == .playing && input == nil, isPlaying: playback.observed == .playing,
            isResting: !isToPlay && (idleSince.map { time - $0 < Self.restSeconds } ?? !isOpen))
    }

    /// Whether the zone is to play its queue or an input.
    private var isToPlay: Bool { input.map { !$0.isPaused } ?? (wish == .playing) }

    /// The seconds before the sleep timer pauses; `nil` if it does not, or if nobody knows.
    private var sleepRemaining: Double? {
        guard isToPlay, let sleep = stored.sleep else { return nil }
        switch sleep {
        case .at(let end): return end - now()
        case .endOfTrack:
            guard input == nil, let track = queue.current?.track, !track.isLive,
                let duration = track.duration, duration.isFinite, duration > 0
            else { return nil }
            return max(0, duration - position) / stored.rate
        }
    }
}
