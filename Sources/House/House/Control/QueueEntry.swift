import TuttiMusicLibrary

/// An entry of a queue.
public struct QueueEntry: Codable, Hashable, Sendable {
    /// The identity of the entry.
    public let id: EntryID
    /// The track.
    public var track: PlayableTrack
    /// The reason why the track could not be played, in words; `nil` if it was not tried, or can.
    public var failure: String?

    /// Makes an entry.
    public init(id: EntryID, track: PlayableTrack, failure: String? = nil) {
        (self.id, self.track, self.failure) = (id, track, failure)
    }
}

/// The order in which a queue continues after an entry.
public enum RepeatMode: String, Codable, Sendable, CaseIterable {
    /// Playback ends after the last entry.
    case off
    /// The current entry repeats.
    case one
    /// The first entry follows the last one.
    case all
}
