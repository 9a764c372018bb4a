import Playback
import TuttiMusicLibrary

/// An entry of a queue.
public struct QueueEntry: Codable, Hashable, Sendable, PlayQueueEntry {
    /// The identity of the entry.
    public let id: EntryID
    /// The track.
    public var track: PlayableTrack
    /// The reason why the track could not be played, in words; `nil` if it was not tried, or can.
    public var failure: String?
    /// Whether the track was not tried, or can be played.
    public var isPlayable: Bool { failure == nil }

    /// Makes an entry.
    public init(id: EntryID, track: PlayableTrack, failure: String? = nil) {
        (self.id, self.track, self.failure) = (id, track, failure)
    }
}

/// The order in which a queue continues after an entry.
public typealias RepeatMode = PlayQueueRepeatMode
