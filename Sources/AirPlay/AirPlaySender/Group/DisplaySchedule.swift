/// The tracks for the speakers' displays: the one to show now, and the next.
struct DisplaySchedule: Sendable {
    private var tracks: [ScheduledTrack] = []
    /// The track that was shown last.
    private var shown: ScheduledTrack?

    mutating func replace(_ tracks: [ScheduledTrack]) { self.tracks = tracks.sorted { $0.frame < $1.frame } }

    /// Returns the track that is heard at a frame; before the first one, the first.
    func track(at frame: Int64) -> ScheduledTrack? {
        tracks.last { $0.frame <= frame } ?? tracks.first
    }

    /// Returns the track to show now; `nil` if it is shown already, unless `isForced`.
    mutating func take(at frame: Int64, isForced: Bool) -> ScheduledTrack? {
        guard let track = track(at: frame), isForced || shown != track else { return nil }
        shown = track
        return track
    }

    /// Returns the first frame of the next track.
    func next(after frame: Int64) -> Int64? { tracks.first { $0.frame > frame }?.frame }
}
