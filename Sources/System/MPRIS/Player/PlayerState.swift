/// The state of a player, as the desktop shows it. A value.
public struct PlayerState: Hashable, Sendable {
    /// The activity of a player.
    public enum Playback: String, Sendable {
        /// A track plays, or waits to be heard.
        case playing = "Playing"
        /// A track is paused.
        case paused = "Paused"
        /// Nothing is to be played.
        case stopped = "Stopped"
    }

    /// The order after a track.
    public enum Loop: String, Sendable {
        /// Playback ends after the last track.
        case none = "None"
        /// The current track repeats.
        case track = "Track"
        /// The first track follows the last one.
        case playlist = "Playlist"
    }

    /// The name of the player, for people.
    public var identity: String
    /// The name of an installed desktop entry, without `.desktop`; `nil` for none.
    public var desktopEntry: String?
    /// The kinds of addresses that the player opens, such as `file`.
    public var schemes: [String] = []
    /// The kinds of files that the player opens, such as `audio/flac`.
    public var mimeTypes: [String] = []

    /// The activity.
    public var playback = Playback.stopped
    /// The position in the current track.
    public var position = PlayerPosition()
    /// The speed of playback, also while paused; 1 is normal.
    public var rate = 1.0
    /// The speeds that can be chosen.
    public var rates = 1.0...1.0
    /// The order after a track; `nil` for a player without one.
    public var loop: Loop?
    /// Whether the order is random; `nil` for a player without one.
    public var isShuffled: Bool?
    /// The volume, 0 ... 1.
    public var volume = 1.0
    /// The current track; `nil` for none.
    public var track: PlayerTrack?

    /// Whether there is a next track.
    public var canGoNext = false
    /// Whether there is a previous track, or a beginning to return to.
    public var canGoPrevious = false
    /// Whether playback can start.
    public var canPlay = false
    /// Whether playback can pause.
    public var canPause = false
    /// Whether the position can be changed.
    public var canSeek = false
    /// Whether the player takes commands at all.
    public var canControl = true

    /// Tracks around the current one, at most ``trackLimit``; `nil` for a player without a list.
    public var tracks: [PlayerTrack]?
    /// Whether tracks can be added and removed.
    public var canEditTracks = false

    /// The most tracks of a list.
    public static let trackLimit = 1_000

    /// Makes the state of a player that has never played.
    public init(identity: String) { self.identity = identity }
}

/// A position that moves: so many seconds at an instant, and from there on at a rate.
public struct PlayerPosition: Hashable, Sendable {
    /// Seconds in the track at ``instant``.
    public var seconds: Double
    /// The time of ``seconds``; `nil` for a position that rests.
    public var instant: SuspendingClock.Instant?
    /// Seconds of the track in each second.
    public var rate: Double

    /// Makes a position.
    public init(seconds: Double = 0, at instant: SuspendingClock.Instant? = nil, rate: Double = 0) {
        (self.seconds, self.instant, self.rate) = (seconds, instant, rate)
    }

    /// Returns the seconds at a time, not below 0.
    public func seconds(at now: SuspendingClock.Instant) -> Double {
        guard let instant, rate != 0 else { return max(0, seconds) }
        return max(0, seconds + instant.duration(to: now) / .seconds(1) * rate)
    }
}

extension PlayerState {
    /// Returns the position at a time, within the track.
    func seconds(at now: SuspendingClock.Instant) -> Double {
        min(position.seconds(at: now), track?.length ?? .infinity)
    }
}
