import TuttiDBus

/// The announcements of a player: the signals by which listeners follow its state. A value.
///
/// Remembers what was announced, so that many changes between two calls become few signals, and what
/// listeners take the position to be: they advance it by themselves while the status is playing.
struct PlayerAnnouncer: Sendable {
    /// Seconds by which a position may differ from what listeners expect. Measured positions waver less.
    static let tolerance = 0.5
    /// Differences of lists that are told one by one; more replace the list.
    static let editLimit = 16

    private var announced: PlayerState
    /// The position as listeners compute it.
    private var expected: PlayerPosition

    /// Begins with a state that listeners will ask for.
    init(_ state: PlayerState, at now: SuspendingClock.Instant) {
        announced = state
        expected = Self.expectation(state, at: now)
    }

    /// Returns the signals that lead listeners to a state.
    mutating func announce(_ state: PlayerState, at now: SuspendingClock.Instant) -> [BusSignal] {
        let old = announced
        announced = state
        var signals: [BusSignal] = []
        for interface in [InterfaceDeclaration.root, .player, .trackList] {
            if let signal = Self.changes(of: interface, from: old, to: state, at: now) {
                signals.append(signal)
            }
        }
        if let seeked = seeked(from: old, to: state, at: now) { signals.append(seeked) }
        if let tracks = state.tracks, let before = old.tracks, tracks != before {
            signals += Self.listSignals(from: before, to: tracks, current: state.track?.id)
        }
        return signals
    }

    private static func expectation(_ state: PlayerState, at now: SuspendingClock.Instant) -> PlayerPosition {
        let rate = state.playback == .playing ? state.rate : 0
        return PlayerPosition(seconds: state.seconds(at: now), at: now, rate: rate)
    }

    // MARK: Properties

    private static func changes(
        of interface: InterfaceDeclaration, from old: PlayerState, to new: PlayerState,
        at now: SuspendingClock.Instant
    ) -> BusSignal? {
        guard let before = old.values(of: interface.name, at: now),
            let after = new.values(of: interface.name, at: now)
        else { return nil }
        var (changed, invalidated): ([String: BusValue], [String]) = ([:], [])
        for property in interface.properties where before[property.name] != after[property.name] {
            switch (property.changes, after[property.name]) {
            case (.never, _): break
            case (.value, let value?): changed[property.name] = value
            case (.value, nil), (.invalidation, _): invalidated.append(property.name)
            }
        }
        guard !changed.isEmpty || !invalidated.isEmpty else { return nil }
        return BusSignal(
            path: PlayerInterface.path, interface: InterfaceDeclaration.properties.name,
            member: "PropertiesChanged",
            arguments: [.string(interface.name), .properties(changed), .strings(invalidated)])
    }

    // MARK: Position

    private mutating func seeked(
        from old: PlayerState, to new: PlayerState, at now: SuspendingClock.Instant
    ) -> BusSignal? {
        let actual = new.seconds(at: now)
        // Listeners take a new track to begin at 0.
        let isNewTrack = old.track?.id != new.track?.id
        let believed = isNewTrack ? 0 : min(expected.seconds(at: now), new.track?.length ?? .infinity)
        let isJump = new.track != nil && abs(actual - believed) > Self.tolerance
        let isNewLine = isNewTrack || old.playback != new.playback || old.rate != new.rate
        guard isJump || isNewLine else { return nil }
        expected = Self.expectation(new, at: now)
        guard isJump, let position = PlayerTrack.microseconds(actual) else { return nil }
        return BusSignal(
            path: PlayerInterface.path, interface: InterfaceDeclaration.player.name, member: "Seeked",
            arguments: [.int64(position)])
    }

    // MARK: The list

    private static func listSignals(
        from old: [PlayerTrack], to new: [PlayerTrack], current: String?
    ) -> [BusSignal] {
        let (oldIDs, newIDs) = (old.map(\.id), new.map(\.id))
        let (oldSet, newSet) = (Set(oldIDs), Set(newIDs))
        let kept = newIDs.filter(oldSet.contains)
        let edits = oldSet.subtracting(newSet).count + newSet.subtracting(oldSet).count
        let now = current.flatMap { newSet.contains($0) ? $0 : nil } ?? PlayerTrack.none
        let replaced = [signal("TrackListReplaced", [.objectPaths(newIDs), .objectPath(now)])]
        guard edits <= editLimit, kept == oldIDs.filter(newSet.contains), newSet.count == newIDs.count,
            oldSet.count == oldIDs.count
        else { return replaced }
        var signals = oldIDs.filter { !newSet.contains($0) }.map { signal("TrackRemoved", [.objectPath($0)]) }
        let before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, track) in new.enumerated() {
            if let known = before[track.id] {
                guard known != track else { continue }
                signals.append(
                    signal("TrackMetadataChanged", [.objectPath(track.id), .properties(track.metadata)]))
            } else {
                let after = index == 0 ? PlayerTrack.none : newIDs[index - 1]
                signals.append(signal("TrackAdded", [.properties(track.metadata), .objectPath(after)]))
            }
        }
        // Many tracks whose texts changed, as after a scan, are reported as a new list too.
        guard signals.count <= 4 * editLimit else { return replaced }
        return signals
    }

    private static func signal(_ name: String, _ arguments: [BusValue]) -> BusSignal {
        BusSignal(
            path: PlayerInterface.path, interface: InterfaceDeclaration.trackList.name, member: name,
            arguments: arguments)
    }
}
