import AVFoundation
import Playback

/// The tracks of one `tutti play`, including finished tracks, and their items in the player's queue.
///
/// Track numbers count all tracks. The player's queue holds the current track and a few that the player has not
/// opened yet, because there may be thousands of tracks.
struct PlayList {
    /// The tracks. No limit: the user named them, or a playlist, which has a limit of its own.
    private var queue: PlayQueue<PlayTrack>
    /// The id for the next new track.
    private var nextID: Int

    /// The number of unopened items to keep in the player's queue.
    private static let waitingCount = 3

    init(_ inputs: [PlayInput]) {
        let tracks = inputs.enumerated().map { PlayTrack($1, id: $0) }
        queue = PlayQueue(entries: tracks, current: tracks.first?.id, limit: .max)
        nextID = tracks.count
    }

    var tracks: [PlayTrack] { queue.entries }
    /// The index of the current track, or of the last one played; the number of tracks if that one was removed.
    var current: Int { queue.currentPlace ?? queue.entries.count }
    var currentTrack: PlayTrack? { queue.current }

    /// Whether any track is playing or still to be played.
    var hasMore: Bool { coming.contains { isToBeHeard($0) } }

    var isAllFailed: Bool { tracks.allSatisfy { $0.failure != nil } }

    /// The tracks from the current one on. `PlayQueue.upcoming` does not fit here: it returns no indices, and begins at
    /// the first track if none is current, which is the end of this list.
    private var coming: Range<Int> { current..<tracks.count }

    /// Whether one of the coming tracks is playing or still to be played.
    private func isToBeHeard(_ index: Int) -> Bool {
        let track = tracks[index]
        return track.isPlayable && !track.hasEnded
    }

    /// Returns the track of an item in the player's queue.
    func index(of item: AVPlayerItem) -> Int? { coming.first { tracks[$0].item === item } }

    // MARK: The player's queue

    struct Addition {
        let item: AVPlayerItem
        /// The item to insert after; `nil` for the beginning of the player's queue, which is then empty.
        let after: AVPlayerItem?
    }

    /// Returns the items to add to the player's queue, in this order.
    mutating func fill(_ makeItem: (PlayTrack) -> QueuedItem) -> [Addition] {
        var additions: [Addition] = []
        var (place, waiting) = (nil as AVPlayerItem?, 0)
        let lastQueued = coming.last { tracks[$0].queued != nil } ?? -1
        for index in coming where isToBeHeard(index) {
            if tracks[index].queued == nil {
                // A track before a queued track must be queued too.
                guard waiting < Self.waitingCount || index < lastQueued else { break }
                let queued = makeItem(tracks[index])
                update(index) { $0.queued = queued }
                additions.append(Addition(item: queued.item, after: place))
            }
            place = tracks[index].item
            if !tracks[index].isOpen { waiting += 1 }
        }
        return additions
    }

    /// Marks all tracks from `index` on as unplayed. The player's queue is now empty.
    mutating func restart(at index: Int) {
        for place in tracks.indices {
            let track = tracks[place]
            // Most tracks of a long list have not been touched.
            guard track.queued != nil || track.isOpen || track.hasEnded || track.failure != nil else {
                continue
            }
            update(place) { track in
                track.leaveQueue()
                track.hasEnded = false
                if place >= index { track.failure = nil }
            }
        }
        queue.setCurrent(tracks.indices.contains(index) ? tracks[index].id : nil)
    }

    // MARK: Events of the player

    /// Returns the queued items before an item.
    func items(before item: AVPlayerItem) -> [AVPlayerItem] {
        guard let index = index(of: item) else { return [] }
        return tracks[current..<index].compactMap(\.item)
    }

    /// Makes an item's track the current one; marks the tracks before it as over.
    mutating func begin(_ item: AVPlayerItem) {
        guard let index = index(of: item) else { return }
        for place in current..<index { update(place) { $0.leaveQueue() } }
        queue.setCurrent(tracks[index].id)
    }

    mutating func finish(_ index: Int) {
        update(index) { track in
            track.leaveQueue()
            track.hasEnded = true
        }
    }

    mutating func open(_ index: Int, _ media: TuttiMedia?) {
        update(index) { track in
            track.isOpen = true
            track.media = media?.withoutArtwork ?? track.media
        }
    }

    mutating func fail(_ index: Int, _ message: String) {
        update(index) { track in
            track.leaveQueue()
            track.failure = message
        }
    }

    mutating func hear(_ title: StreamTitle, on index: Int) { update(index) { $0.heardTitle = title } }

    private mutating func update(_ index: Int, _ change: (inout PlayTrack) -> Void) {
        let id = tracks[index].id
        queue.update(id, change)
    }

    /// Replaces a track that turned out to be a playlist with the playlist's entries.
    ///
    /// - Parameter isPlayable: Whether the track's item plays the entry after the failed entries.
    /// - Returns: The indices of the failed entries, and of the entry being played.
    mutating func expand(
        _ index: Int, to list: TuttiPlaylist, isPlayable: Bool
    ) -> (failed: Range<Int>, played: Int?) {
        let replaced = tracks[index]
        var entries: [PlayTrack] = []
        for entry in list.entries {
            var track = makeTrack(PlayInput(path: entry.location, title: entry.title))
            track.isFromList = true
            entries.append(track)
        }
        let failures = list.failures.prefix(entries.count)
        for (place, failure) in failures.enumerated() {
            entries[place].failure = failure.localizedDescription
        }
        let played = isPlayable && failures.count < entries.count ? failures.count : nil
        if let played {
            (entries[played].queued, entries[played].isOpen) = (replaced.queued, replaced.isOpen)
        }
        insert(entries, at: index)
        if replaced.id == queue.currentID, !entries.isEmpty {
            queue.setCurrent(entries[played ?? max(0, failures.count - 1)].id)
        }
        queue.remove([replaced.id])
        return (index..<index + failures.count, played.map { index + $0 })
    }

    // MARK: Edits

    /// Removes a track.
    ///
    /// - Returns: The track's item in the player's queue; `nil` if there is none.
    mutating func remove(_ index: Int) -> AVPlayerItem? {
        let track = tracks[index]
        queue.remove([track.id])
        return track.item
    }

    /// Inserts a track before `index`. A track at or before the current position counts as over.
    mutating func insert(_ input: PlayInput, at index: Int) {
        let track = makeTrack(input)
        insert([track], at: index)
    }

    private mutating func insert(_ new: [PlayTrack], at index: Int) {
        let place = index < tracks.count ? PlayQueuePlace.before(tracks[index].id) : .end
        do throws(PlayQueueError<PlayTrack.ID>) { try queue.insert(new, at: place) } catch {
            preconditionFailure("a list without a limit refused a track: \(error)")
        }
    }

    private mutating func makeTrack(_ input: PlayInput) -> PlayTrack {
        defer { nextID += 1 }
        return PlayTrack(input, id: nextID)
    }
}
