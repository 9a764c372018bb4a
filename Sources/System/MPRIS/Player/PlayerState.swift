/// The state of a player, as the desktop shows it. A value.
package struct PlayerState: Hashable, Sendable {
    /// The activity of a player.
    package enum Playback: String, Sendable {
        /// A track plays, or waits to be heard.
        case playing = "Playing"
        /// A track is paused.
        case paused = "Paused"
        /// Nothing is to be played.
        case stopped = "Stopped"
    }

    /// The order after a track.
    package enum Loop: String, Sendable {
        /// Playback ends after the last track.
        case none = "None"
        /// The current track repeats.
        case track = "Track"
        /// The first track follows the last one.
        case playlist = "Playlist"
    }

    /// The name of the player, for people.
    package var identity: String
    /// The name of an installed desktop entry, without `.desktop`; `nil` for none.
    package var desktopEntry: String?
    /// The kinds of addresses that the player opens, such as `file`.
    package var schemes: [String] = []
    /// The kinds of files that the player opens, such as `audio/flac`.
    package var mimeTypes: [String] = []

    /// The activity.
    package var playback = Playback.stopped
    /// The position in the current track.
    package var position = PlayerPosition()
    /// The speed of playback, also while paused; 1 is normal.
    package var rate = 1.0
    /// The speeds that can be chosen.
    package var rates = 1.0...1.0
    /// The order after a track; `nil` for a player without one.
    package var loop: Loop?
    /// Whether the order is random; `nil` for a player without one.
    package var isShuffled: Bool?
    /// The volume, 0 ... 1.
    package var volume = 1.0
    /// The current track; `nil` for none.
    package var track: PlayerTrack?

    /// Whether there is a next track.
    package var canGoNext = false
    /// Whether there is a previous track, or a beginning to return to.
    package var canGoPrevious = false
    /// Whether playback can start.
    package var canPlay = false
    /// Whether playback can pause.
    package var canPause = false
    /// Whether the position can be changed.
    package var canSeek = false
    /// Whether the player takes commands at all.
    package var canControl = true

    /// Tracks around the current one, at most ``trackLimit``; `nil` for a player without a list.
    package var tracks: [PlayerTrack]?
    /// Whether tracks can be added and removed.
    package var canEditTracks = false

    /// The most tracks of a list.
    package static let trackLimit = 1_000

    /// Makes the state of a player that has never played.
    package init(identity: String) { self.identity = identity }
}

/// A position that moves: so many seconds at an instant, and from there on at a rate.
package struct PlayerPosition: Hashable, Sendable {
    /// Seconds in the track at ``instant``.
    package var seconds: Double
    /// The time of ``seconds``; `nil` for a position that rests.
    package var instant: SuspendingClock.Instant?
    /// Seconds of the track in each second.
    package var rate: Double

    /// Makes a position.
    package init(seconds: Double = 0, at instant: SuspendingClock.Instant? = nil, rate: Double = 0) {
        (self.seconds, self.instant, self.rate) = (seconds, instant, rate)
    }

    /// Returns the seconds at a time, not below 0.
    package func seconds(at now: SuspendingClock.Instant) -> Double {
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
