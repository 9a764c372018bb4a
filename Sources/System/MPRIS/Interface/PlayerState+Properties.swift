import TuttiDBus

extension PlayerState {
    /// The interfaces that the player has.
    var interfaces: [InterfaceDeclaration] {
        tracks == nil ? [.root, .player] : [.root, .player, .trackList]
    }

    /// Returns the values of an interface's properties by name; `nil` for an interface that the player has
    /// not.
    func values(of interface: String, at now: SuspendingClock.Instant) -> [String: BusValue]? {
        switch interface {
        case InterfaceDeclaration.root.name: rootValues
        case InterfaceDeclaration.player.name: playerValues(at: now)
        case InterfaceDeclaration.trackList.name: trackListValues
        default: nil
        }
    }

    private var rootValues: [String: BusValue] {
        var values: [String: BusValue] = [
            "CanQuit": .boolean(false), "CanRaise": .boolean(false),
            "HasTrackList": .boolean(tracks != nil), "Identity": .string(PlayerTrack.cut(identity)),
            "SupportedMimeTypes": .strings(mimeTypes), "SupportedUriSchemes": .strings(schemes),
        ]
        values["DesktopEntry"] = desktopEntry.map { .string(PlayerTrack.cut($0)) }
        return values
    }

    private func playerValues(at now: SuspendingClock.Instant) -> [String: BusValue] {
        var values: [String: BusValue] = [
            "CanControl": .boolean(canControl), "CanGoNext": .boolean(canControl && canGoNext),
            "CanGoPrevious": .boolean(canControl && canGoPrevious),
            "CanPause": .boolean(canControl && canPause), "CanPlay": .boolean(canControl && canPlay),
            "CanSeek": .boolean(canControl && canSeek), "MaximumRate": .double(rates.upperBound),
            "Metadata": .properties(metadata), "MinimumRate": .double(rates.lowerBound),
            "PlaybackStatus": .string(playback.rawValue),
            "Position": .int64(PlayerTrack.microseconds(seconds(at: now)) ?? 0), "Rate": .double(rate),
            "Volume": .double(volume),
        ]
        values["LoopStatus"] = loop.map { .string($0.rawValue) }
        values["Shuffle"] = isShuffled.map { .boolean($0) }
        return values
    }

    private var metadata: [String: BusValue] {
        track?.metadata ?? ["mpris:trackid": .objectPath(PlayerTrack.none)]
    }

    private var trackListValues: [String: BusValue]? {
        tracks.map { tracks in
            ["CanEditTracks": .boolean(canEditTracks), "Tracks": .objectPaths(tracks.map(\.id))]
        }
    }
}
