import TuttiHouse

/// Repetition, order, volume, and what MPD has beyond.
struct OptionCommands: Sendable {
    let core: ServerCore
    let zone: ClientZone

    func setRepeat(_ value: String) async throws(CommandError) {
        let isOn = try Argument.boolean(value)
        let state = try zone.state()
        let pauses = core.modes(of: state.id).pausesAfterEach
        guard isOn else {
            let repeatsOne = state.repeatMode == .one
            try await zone.perform(.setRepeat(state.id, .off))
            if repeatsOne { try await pauseAfterEach(state) }
            return
        }
        if pauses { try await stopPausing(state) }
        if state.repeatMode == .off || pauses {
            try await zone.perform(.setRepeat(state.id, pauses ? .one : .all))
        }
    }

    func setRandom(_ value: String) async throws(CommandError) {
        try await zone.perform(.setShuffle(zone.id, try Argument.boolean(value)))
    }

    /// With repetition, `single` repeats one song; without, playback pauses at each song's end.
    func setSingle(_ value: String) async throws(CommandError) {
        let state = try zone.state()
        switch value {
        case "0":
            try await stopPausing(state)
            if state.repeatMode == .one { try await zone.perform(.setRepeat(state.id, .all)) }
        case "1" where state.repeatMode != .off: try await zone.perform(.setRepeat(state.id, .one))
        case "1": try await pauseAfterEach(state)
        case "oneshot":
            core.changeModes(of: state.id) { $0.pausesAfterEach = false }
            if state.repeatMode == .one { try await zone.perform(.setRepeat(state.id, .all)) }
            try await zone.perform(.sleepAtEndOfTrack(state.id))
        default:
            throw CommandError(.argument, "Unrecognized single mode, expected 0, 1, or oneshot")
        }
    }

    private func pauseAfterEach(_ state: ZoneSnapshot) async throws(CommandError) {
        core.changeModes(of: state.id) { $0.pausesAfterEach = true }
        if state.state == .playing { try await zone.perform(.sleepAtEndOfTrack(state.id)) }
    }

    private func stopPausing(_ state: ZoneSnapshot) async throws(CommandError) {
        core.changeModes(of: state.id) { $0.pausesAfterEach = false }
        if state.sleep == .endOfTrack { try await zone.perform(.sleep(state.id, afterSeconds: nil)) }
    }

    func setConsume(_ value: String) throws(CommandError) {
        let isOn = try Argument.boolean(value)
        core.changeModes(of: try zone.state().id) { $0.consumes = isOn }
    }

    func setCrossfade(_ value: String) async throws(CommandError) {
        let seconds = try Argument.natural(value)
        guard seconds <= 12 else {
            throw CommandError(.argument, "Songs overlap by at most 12 seconds, not by \(value)")
        }
        try await zone.perform(.setCrossfade(zone.id, seconds: Double(seconds)))
    }

    func setMixRamp(decibels value: String) throws(CommandError) {
        // Has an effect only with a delay, which is refused.
        _ = try Argument.number(value)
    }

    func setMixRamp(delay value: String) throws(CommandError) {
        // "nan" turns it off, as it is.
        if value.lowercased() == "nan" { return }
        guard try Argument.number(value) <= 0 else {
            throw CommandError(.argument, "MixRamp is not available: songs follow without a gap")
        }
    }

    /// `auto` is `track` in random order, else `album`, as the order is now.
    func setReplayGain(_ mode: String) async throws(CommandError) {
        let levelling: VolumeLevelling
        switch mode {
        case "off": levelling = .off
        case "track": levelling = .track
        case "album": levelling = .album
        case "auto": levelling = try zone.state().shuffle ? .track : .album
        default: throw CommandError(.argument, "Unrecognized replay gain mode")
        }
        try await zone.perform(.setLevelling(zone.id, levelling))
    }

    func replayGain(_ answer: inout AnswerWriter) {
        answer.add("replay_gain_mode", core.mirror.zone(zone.id)?.levelling.rawValue ?? "off")
    }

    // MARK: Volume

    func volume(_ answer: inout AnswerWriter) {
        if let volume = core.mirror.zone(zone.id)?.shownVolume {
            answer.add("volume", Int(nearest: volume))
        }
    }

    func setVolume(_ value: String) async throws(CommandError) {
        let percent = try Argument.natural(value, upTo: 100)
        try await zone.perform(.setZoneVolume(zone.id, Double(percent)))
    }

    func changeVolume(_ value: String) async throws(CommandError) {
        let change = try Argument.integer(value)
        guard change >= -100 else { throw CommandError(.argument, "Number too small: \(value)") }
        guard change <= 100 else { throw CommandError(.argument, "Number too large: \(value)") }
        let state = try zone.state()
        guard let volume = state.shownVolume, volume.isFinite else {
            throw CommandError(.system, "The volume of \(state.name) is not known")
        }
        try await zone.perform(.setZoneVolume(state.id, min(100, max(0, volume.rounded() + Double(change)))))
    }
}

extension ZoneSnapshot {
    /// The volume that clients show. Without one they have no slider, with which a user could set it: while that of
    /// no room is known, it is a low one, from which a client's next step leads.
    var shownVolume: Double? { volume ?? (rooms.isEmpty ? nil : House.cautiousVolume) }
}
