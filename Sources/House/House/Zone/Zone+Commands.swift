/// The commands that concern one zone alone.
extension Zone {
    /// Carries out a command for which ``HouseCommand/ownZone`` is this zone.
    ///
    /// - Parameter hasRooms: Whether the zone has rooms to play in.
    func perform(_ command: HouseCommand, hasRooms: Bool) throws(HouseError) -> ZoneEffect {
        if let effect = try performOnInput(command, hasRooms: hasRooms) { return effect }
        switch command {
        case .play: return try play(hasRooms: hasRooms)
        case .pause: return pause()
        case .toggle:
            guard wish == .playing else { return try play(hasRooms: hasRooms) }
            return pause()
        case .stop: return stop()
        case .next: return try playback.next()
        case .previous: return playback.previous()
        case .seek(_, let seconds): return try playback.seek(to: seconds)
        case .skip(_, let seconds): return try playback.skip(by: seconds)
        case .setRate(_, let rate):
            guard try stored.setRate(rate) else { return [] }
            playback.applyRate()
            return .changed
        case .setShuffle(_, let isOn): return playback.setShuffle(isOn)
        case .setRepeat(_, let mode): return playback.setRepeat(mode)
        case .sleep(_, let seconds):
            try stored.setSleep(after: seconds, at: now())
            return playback.edited()
        case .sleepAtEndOfTrack:
            stored.sleep = .endOfTrack
            return playback.edited()
        case .setLevelling(_, let levelling): return sendSound(ifChanged: stored.setLevelling(levelling))
        case .setCrossfade(_, let seconds): return sendSound(ifChanged: try stored.setCrossfade(seconds))
        case .setSleepFade(_, let seconds): return try stored.setSleepFade(seconds) ? .changed : []
        case .jump(_, let entry): return try jump(to: entry, hasRooms: hasRooms)
        case .remove(_, let entries): return playback.remove(entries)
        case .move(_, let entries, let target): return try playback.move(entries, before: target)
        case .clear: return clear()
        case .playInput: return []  // carried out for an input
        case .setZoneVolume, .add, .makeZone, .renameZone, .removeZone, .moveRoom, .transfer, .setRoomVolume,
            .setRoomDelay, .setRoomPassword, .forgetRoom, .setRoomEqualizer, .setRoomMaximumVolume,
            .setRoomNightMode, .announce, .cancelAnnouncement, .setAlarm, .removeAlarm:
            return []  // carried out by the house
        }
    }

    private func sendSound(ifChanged isChanged: Bool) -> ZoneEffect {
        guard isChanged else { return [] }
        player.setSound(stored.sound)
        return .changed
    }

    /// Carries out a command as far as it concerns an input.
    ///
    /// - Returns: `nil` if the command concerns the queue.
    private func performOnInput(
        _ command: HouseCommand, hasRooms: Bool
    ) throws(HouseError) -> ZoneEffect? {
        switch command {
        case .playInput(_, let name):
            guard let input = inputs.input(name) else {
                throw HouseError(.notFound, "\(stored.name) has no input '\(name)'.")
            }
            try requireRooms(hasRooms)
            return take(input, hasRooms: hasRooms)
        case .toggle:
            guard let input else { return nil }
            return input.isPaused ? take(input.input, hasRooms: hasRooms) : pauseInput()
        case .play:
            guard let input, input.isPaused else { return nil }
            return take(input.input, hasRooms: hasRooms)
        case .seek, .skip:
            guard input != nil else { return nil }
            throw HouseError(.conflict, "The sound of an input cannot seek.")
        default: return nil
        }
    }
}

extension HouseCommand {
    /// The zone which the command concerns, and nothing else of the house.
    var ownZone: ZoneID? {
        switch self {
        case .play(let zone), .pause(let zone), .toggle(let zone), .stop(let zone), .next(let zone),
            .previous(let zone), .seek(let zone, _), .skip(let zone, _), .setRate(let zone, _),
            .setShuffle(let zone, _), .setRepeat(let zone, _), .sleep(let zone, _),
            .sleepAtEndOfTrack(let zone), .setLevelling(let zone, _), .setCrossfade(let zone, _),
            .setSleepFade(let zone, _), .playInput(let zone, _), .jump(let zone, _), .remove(let zone, _),
            .move(let zone, _, _), .clear(let zone):
            zone
        case .setZoneVolume, .add, .makeZone, .renameZone, .removeZone, .moveRoom, .transfer,
            .setRoomVolume, .setRoomDelay, .setRoomPassword, .forgetRoom, .setRoomEqualizer,
            .setRoomMaximumVolume, .setRoomNightMode, .announce, .cancelAnnouncement, .setAlarm,
            .removeAlarm:
            nil
        }
    }

    /// Whether the command, while an input is heard, returns to the queue and plays it. Others may end the input as a
    /// part of what they do.
    var returnsToQueue: Bool {
        switch self {
        case .next, .previous: true
        default: false
        }
    }
}
