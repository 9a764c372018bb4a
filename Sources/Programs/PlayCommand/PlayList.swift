import AVFoundation

/// The tracks of one `tutti play`, including finished tracks, and their items in the player's queue.
///
/// Track numbers count all tracks. The queue holds the current track and a few that the player has not opened
/// yet, because there may be thousands of tracks.
struct PlayList {
    private(set) var tracks: [PlayTrack]
    /// The index of the current track, or of the last one played.
    private(set) var current = 0

    /// The number of unopened items to keep in the queue.
    private static let waitingCount = 3

    init(_ inputs: [PlayInput]) { tracks = inputs.map { PlayTrack($0) } }

    var currentTrack: PlayTrack? { tracks.indices.contains(current) ? tracks[current] : nil }

    /// Whether any track is playing or still to be played.
    var hasMore: Bool { coming.contains { tracks[$0].isToBeHeard } }

    var isAllFailed: Bool { tracks.allSatisfy { $0.failure != nil } }

    private var coming: Range<Int> { min(current, tracks.count)..<tracks.count }

    /// Returns the track of an item in the queue.
    func index(of item: AVPlayerItem) -> Int? { coming.first { tracks[$0].item === item } }

    // MARK: The player's queue

    struct Addition {
        let item: AVPlayerItem
        /// The item to insert after; `nil` for the beginning of the queue, which is then empty.
        let after: AVPlayerItem?
    }

    /// Returns the items to add to the queue, in this order.
    mutating func fill(_ makeItem: (PlayTrack) -> QueuedItem) -> [Addition] {
        var additions: [Addition] = []
        var (place, waiting) = (nil as AVPlayerItem?, 0)
        let lastQueued = coming.last { tracks[$0].queued != nil } ?? -1
        for index in coming where tracks[index].isToBeHeard {
            if tracks[index].queued == nil {
                // A track before a queued track must be queued too.
                guard waiting < Self.waitingCount || index < lastQueued else { break }
                let queued = makeItem(tracks[index])
                tracks[index].queued = queued
                additions.append(Addition(item: queued.item, after: place))
            }
            place = tracks[index].item
            if !tracks[index].isOpen { waiting += 1 }
        }
        return additions
    }

    /// Marks all tracks from `index` on as unplayed. The queue is now empty.
    mutating func restart(at index: Int) {
        for place in tracks.indices {
            tracks[place].leaveQueue()
            tracks[place].isOver = place < index
            if place >= index { tracks[place].failure = nil }
        }
        current = index
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
        for place in current..<index { finish(place) }
        current = index
    }

    mutating func finish(_ index: Int) {
        tracks[index].leaveQueue()
        tracks[index].isOver = true
    }

    mutating func open(_ index: Int, _ media: TuttiMedia?) {
        tracks[index].isOpen = true
        tracks[index].media = media?.withoutArtwork ?? tracks[index].media
    }

    mutating func fail(_ index: Int, _ message: String) {
        tracks[index].leaveQueue()
        tracks[index].failure = message
    }

    mutating func hear(_ title: StreamTitle, on index: Int) { tracks[index].heardTitle = title }

    /// Replaces a track that turned out to be a playlist with the playlist's entries.
    ///
    /// - Parameter isPlayable: Whether the track's item plays the entry after the failed entries.
    /// - Returns: The indices of the failed entries, and of the entry being played.
    mutating func expand(
        _ index: Int, to list: TuttiPlaylist, isPlayable: Bool
    ) -> (failed: Range<Int>, played: Int?) {
        let (queued, isOpen) = (tracks[index].queued, tracks[index].isOpen)
        var entries = list.entries.map { entry in
            var track = PlayTrack(PlayInput(path: entry.location, title: entry.title))
            track.isFromList = true
            return track
        }
        let failures = list.failures.prefix(entries.count)
        for (place, failure) in failures.enumerated() {
            entries[place].failure = failure.localizedDescription
        }
        let played = isPlayable && failures.count < entries.count ? failures.count : nil
        if let played { (entries[played].queued, entries[played].isOpen) = (queued, isOpen) }
        tracks.replaceSubrange(index...index, with: entries)
        if index == current { current += played ?? max(0, failures.count - 1) }
        return (index..<index + failures.count, played.map { index + $0 })
    }

    // MARK: Edits

    /// Removes a track.
    ///
    /// - Returns: The track's item in the queue; `nil` if there is none.
    mutating func remove(_ index: Int) -> AVPlayerItem? {
        if index < current { current -= 1 }
        return tracks.remove(at: index).item
    }

    /// Inserts a track before `index`. A track at or before the current position counts as over.
    mutating func insert(_ input: PlayInput, at index: Int) {
        tracks.insert(PlayTrack(input), at: index)
        guard index <= current else { return }
        tracks[index].isOver = true
        current += 1
    }
}
