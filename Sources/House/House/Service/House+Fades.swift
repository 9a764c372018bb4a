import Foundation

/// The volumes of zones that fall asleep or wake. Users see the volumes that they have set; only the speakers get others.
extension House {
    /// Seconds after a pause in which sound may still be heard: the volumes return later.
    private static let restSeconds = 2.0
    /// The number of steps of a fade. A step of the loudest volume is below one decibel then.
    private static let steps = 40.0
    /// The least and the most seconds between two steps.
    private static let stepSeconds = 0.025...0.25

    /// Brings the volumes of a zone's rooms to where its fade is now, if it has one.
    func updateFade(_ zone: Zone) {
        let time = now()
        let remaining = sleepRemaining(of: zone)
        if remaining == nil { zone.fade.endSleep() }
        // A rise belongs to the queue.
        if zone.wish != .playing || zone.input != nil { zone.fade.endRise() }
        if let rise = zone.fade.rise {
            if rise.began == nil, zone.observed == .playing { zone.fade.rise?.began = time }
            if let began = zone.fade.rise?.began, time - began >= rise.seconds { zone.fade.endRise() }
        }
        for room in zone.held { updateVolume(of: room, in: zone, remaining: remaining, at: time) }
        for room in zone.fade.lowered where !zone.held.contains(room) { zone.fade.forget(room) }
        keepFading()
    }

    private func updateVolume(of room: RoomID, in zone: Zone, remaining: Double?, at time: Double) {
        guard let stored = rooms[room]?.stored, let own = stored.volume, !announcements.hasOwnVolume(in: room)
        else {
            return
        }
        // A room that leaves still sounds; its next session begins with its own volume.
        guard stored.zone == zone.id else { return }
        let share = share(of: room, in: zone, remaining: remaining, at: time)
        let lowered = zone.fade.lowered(room)
        if share >= 1 {
            guard lowered != nil else { return }
            // The last sound is still to be heard.
            if !isHeard(zone), zone.idleSince.map({ time - $0 < Self.restSeconds }) ?? !zone.isOpen { return }
            zone.fade.forget(room)
            zone.player.setVolume(own, of: room)
        } else if abs((lowered ?? own) - own * share) >= ZoneFade.step {
            zone.fade.note(own * share, of: room)
            zone.player.setVolume(own * share, of: room)
        }
    }

    private func share(of room: RoomID, in zone: Zone, remaining: Double?, at time: Double) -> Double {
        zone.fade.share(of: room, remaining: remaining, seconds: zone.stored.sleepFade, at: time)
    }

    /// Whether a zone plays its queue or an input.
    private func isHeard(_ zone: Zone) -> Bool {
        if let input = zone.input { return !input.isPaused }
        return zone.wish == .playing
    }

    /// Returns the volume with which a room's session is to begin.
    func beginningVolume(of room: RoomID, in zone: Zone) -> Double? {
        guard let own = rooms[room]?.stored.volume else { return nil }
        let share = share(of: room, in: zone, remaining: sleepRemaining(of: zone), at: now())
        guard share < 1 else { return own }
        if !zone.held.contains(room) { zone.fade.note(own * share, of: room) }
        return own * share
    }

    /// Lets a room have the volume that a user has set, whatever fades.
    func touchVolume(of room: RoomID, in zone: Zone) {
        zone.fade.touch(room, remaining: sleepRemaining(of: zone))
    }

    /// Lets the volumes that a zone's fade has lowered rise together, from the least share of them.
    func raiseLoweredVolumes(of zone: Zone, within seconds: Double) {
        let lowered = zone.fade.lowered.filter { rooms[$0]?.stored.zone == zone.id }
        let shares = lowered.compactMap { room -> Double? in
            guard let own = rooms[room]?.stored.volume, own > 0 else { return nil }
            return zone.fade.lowered(room).map { min(1, $0 / own) }
        }
        guard let least = shares.min() else { return }
        zone.fade.beginRise(seconds, from: least, sparing: zone.held.subtracting(lowered))
    }

    /// Gives a room that leaves its own volume, for whoever has it next.
    func restoreVolume(of room: RoomID, in zone: Zone) {
        guard zone.fade.lowered(room) != nil, let own = rooms[room]?.stored.volume else { return }
        zone.fade.forget(room)
        zone.player.setVolume(own, of: room)
    }

    /// The seconds before the sleep timer pauses; `nil` if it does not, or if nobody knows.
    private func sleepRemaining(of zone: Zone) -> Double? {
        guard isHeard(zone), let sleep = zone.stored.sleep else { return nil }
        switch sleep {
        case .at(let end): return end - now()
        case .endOfTrack:
            guard zone.input == nil, let track = zone.queue.current?.track, !track.isLive,
                let duration = track.duration,
                duration.isFinite, duration > 0
            else { return nil }
            return max(0, duration - zone.position) / zone.stored.rate
        }
    }

    // MARK: The fader

    /// Runs the fader while a zone fades. The ticker finds the beginning of a fade.
    private func keepFading() {
        guard fader == nil, !isStopping, fadeInterval != nil else { return }
        fader = Task { [weak self] in
            while !Task.isCancelled {
                guard let interval = await self?.fadeInterval else { break }
                do { try await Task.sleep(for: .seconds(interval)) } catch { return }
                await self?.stepFades()
            }
            await self?.endFading()
        }
    }

    private func stepFades() {
        for zone in zones.values { updateFade(zone) }
    }

    private func endFading() {
        fader = nil
        // A fade may have begun meanwhile.
        keepFading()
    }

    /// Seconds to the next step of any zone; `nil` if none fades.
    private var fadeInterval: Double? {
        zones.values.compactMap { zone -> Double? in
            guard isHeard(zone) else { return nil }
            if let rise = zone.fade.rise, rise.began != nil { return Self.interval(rise.seconds) }
            let seconds = zone.stored.sleepFade
            guard seconds > 0, let remaining = sleepRemaining(of: zone), remaining < seconds + 1 else {
                return nil
            }
            let interval = Self.interval(seconds)
            return remaining > seconds + interval ? remaining - seconds : interval
        }.min()
    }

    private static func interval(_ seconds: Double) -> Double {
        min(max(seconds / steps, stepSeconds.lowerBound), stepSeconds.upperBound)
    }
}
