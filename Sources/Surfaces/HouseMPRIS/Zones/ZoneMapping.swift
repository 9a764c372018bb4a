import TuttiHouse
import TuttiMPRIS
import TuttiMusicLibrary

/// The translation of a zone to a player's state. Pure.
struct ZoneMapping: Sendable {
    /// The kinds of addresses that a house plays.
    static let schemes = ["file", "http", "https"]
    /// The kinds of files that a house plays.
    static let mimeTypes = [
        "audio/aac", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/x-aiff", "audio/x-wav",
        "application/ogg", "audio/x-mpegurl", "audio/x-scpls",
    ]
    private static let entryPrefix = "/tutti/entry/"

    /// The address of the web interface; `nil` if there is none.
    let web: String?
    /// Whether other users may listen: web addresses are then told without their queries, which may hold
    /// keys.
    var isPublic = false

    /// Returns the object path of an entry.
    static func path(of entry: EntryID) -> String { entryPrefix + "\(entry)" }

    /// Returns the entry of an object path; `nil` for another object.
    static func entry(of path: String) -> EntryID? {
        guard path.hasPrefix(entryPrefix) else { return nil }
        return Int64(path.dropFirst(entryPrefix.count)).map { EntryID(rawValue: $0) }
    }

    /// Returns the state of a zone's player.
    ///
    /// - Parameters:
    ///   - entries: The part of the queue that is shown.
    ///   - details: Those of the current entry.
    ///   - time: The instant and the Unix time of now, in seconds.
    func state(
        of zone: ZoneSnapshot, entries: [QueueEntry], details: TrackDetails?,
        time: (instant: SuspendingClock.Instant, unix: Double)
    ) -> PlayerState {
        var state = PlayerState(identity: zone.name)
        (state.schemes, state.mimeTypes) = (Self.schemes, Self.mimeTypes)
        state.playback =
            switch zone.state {
            case .stopped: .stopped
            case .playing, .waiting: .playing
            case .paused: .paused
            }
        // A position from long ago, or from a clock that was set, is only as good as the clock.
        let age = max(-60, min(86_400, time.unix - zone.positionTime))
        state.position = PlayerPosition(
            seconds: zone.position, at: time.instant - .seconds(age),
            rate: zone.state == .playing ? zone.rate : 0)
        (state.rate, state.rates) = (zone.rate, 0.5...2)
        state.loop =
            switch zone.repeatMode {
            case .off: PlayerState.Loop.none
            case .one: .track
            case .all: .playlist
            }
        state.isShuffled = zone.shuffle
        // An unknown volume is reported as 0: steps up from there are not loud.
        state.volume = (zone.volume ?? 0) / 100
        setAbilities(&state, zone)
        state.tracks = entries.map { track($0) }
        if let current = zone.current {
            var track = track(current)
            if let title = zone.streamTitle, !title.isEmpty {
                track.album = track.album ?? track.title
                track.title = title
            }
            details?.complete(&track)
            state.track = track
        }
        return state
    }

    private func setAbilities(_ state: inout PlayerState, _ zone: ZoneSnapshot) {
        let hasCurrent = zone.current != nil
        let isLast = zone.index.map { $0 + 1 >= zone.length } ?? false
        state.canPlay = zone.length > 0
        state.canPause = hasCurrent
        // In random order, only the house knows the last one.
        state.canGoNext =
            hasCurrent && (zone.repeatMode == .all || (zone.shuffle ? zone.length > 1 : !isLast))
        state.canGoPrevious = hasCurrent
        state.canSeek = zone.current.map { $0.track.duration != nil && !$0.track.isLive } ?? false
        state.canEditTracks = true
    }

    /// Returns an entry as a player's track.
    func track(_ entry: QueueEntry) -> PlayerTrack {
        let source = entry.track
        var track = PlayerTrack(id: Self.path(of: entry.id))
        (track.title, track.album) = (source.title, source.album)
        if let artist = source.artist { track.artists = [artist] }
        track.length = source.isLive ? nil : source.duration
        track.address =
            source.location.hasPrefix("/")
            ? FileAddress.address(ofPath: source.location) : address(source.location)
        track.art = source.picture.flatMap(art)
        return track
    }

    private func address(_ address: String) -> String {
        let plain = FileAddress.withoutUser(address)
        return isPublic ? String(plain.prefix { $0 != "?" && $0 != "#" }) : plain
    }

    private func art(_ picture: String) -> String? {
        if picture.hasPrefix("http://") || picture.hasPrefix("https://") { return address(picture) }
        guard let web, !picture.isEmpty, picture.utf8.allSatisfy({ Self.isPlain($0) }) else { return nil }
        return "\(web)/api/v1/pictures/\(picture)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte || (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte
            || (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte || "-_.".utf8.contains(byte)
    }
}

/// The part of a queue that a player shows: up to ``PlayerState/trackLimit`` entries around the current one.
/// A value.
struct QueueWindow: Hashable, Sendable {
    /// Entries before the current one.
    static let before = 250
    /// Entries that must be left on either side, unless the queue ends there.
    static let margin = 50

    /// The places in the queue.
    var range = 0..<0

    /// Returns the window for a current place.
    static func around(_ index: Int?, length: Int) -> QueueWindow {
        let limit = PlayerState.trackLimit
        let start = max(0, min((index ?? 0) - before, length - limit))
        return QueueWindow(range: start..<min(length, start + limit))
    }

    /// Whether the window still suits a current place.
    func suits(_ index: Int?, length: Int) -> Bool {
        guard range.upperBound <= length else { return false }
        let index = index ?? 0
        let hasBefore = range.lowerBound == 0 || index >= range.lowerBound + Self.margin
        let hasAfter = range.upperBound == length || index < range.upperBound - Self.margin
        return hasBefore && hasAfter
    }
}
