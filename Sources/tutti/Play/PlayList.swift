import AVFoundation
import Codecs
import Playback

/// The tracks of one `tutti play`, those that were heard among them, and which of them stand in the player's queue.
///
/// Numbers of tracks count all of them. The queue has the track that is heard and a few that the player has not opened
/// yet: there may be thousands.
struct PlayList {
    private(set) var tracks: [PlayTrack]
    /// The track that is heard, or was heard last.
    private(set) var current = 0

    /// So many wait in the queue to be opened.
    private static let waitingCount = 3

    init(_ inputs: [PlayInput]) { tracks = inputs.map { PlayTrack($0) } }

    var currentTrack: PlayTrack? { tracks.indices.contains(current) ? tracks[current] : nil }

    /// Whether anything is, or will be, heard.
    var hasMore: Bool { coming.contains { tracks[$0].isToBeHeard } }

    var isAllFailed: Bool { tracks.allSatisfy { $0.failure != nil } }

    private var coming: Range<Int> { min(current, tracks.count)..<tracks.count }

    /// The track that an item in the queue stands for.
    func index(where isIt: (AVPlayerItem) -> Bool) -> Int? {
        coming.first { tracks[$0].item.map(isIt) ?? false }
    }

    func index(of item: AVPlayerItem) -> Int? { index { $0 === item } }

    // MARK: The player's queue

    struct Addition {
        let item: AVPlayerItem
        /// `nil` for the beginning of the queue, which is then empty.
        let after: AVPlayerItem?
    }

    /// What has to be put in the queue, in this order.
    mutating func fill(_ makeItem: (PlayTrack) -> QueuedItem) -> [Addition] {
        var additions: [Addition] = []
        var (place, waiting) = (nil as AVPlayerItem?, 0)
        let lastQueued = coming.last { tracks[$0].queued != nil } ?? -1
        for index in coming where tracks[index].isToBeHeard {
            if tracks[index].queued == nil {
                // What comes before something that is queued must be there too.
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

    /// The queue is to begin with a track, whatever became of it and of those behind it before. It is empty now.
    mutating func restart(at index: Int) {
        for place in tracks.indices {
            tracks[place].leaveQueue()
            tracks[place].isOver = place < index
            if place >= index { tracks[place].failure = nil }
        }
        current = index
    }

    // MARK: What the player tells

    /// Those in the queue that come before one of it.
    func items(before item: AVPlayerItem) -> [AVPlayerItem] {
        guard let index = index(of: item) else { return [] }
        return tracks[current..<index].compactMap(\.item)
    }

    /// An item is heard: those before it are over.
    mutating func begin(_ item: AVPlayerItem) {
        guard let index = index(of: item) else { return }
        for place in current..<index { finish(place) }
        current = index
    }

    mutating func finish(_ index: Int) {
        tracks[index].leaveQueue()
        tracks[index].isOver = true
    }

    mutating func open(_ index: Int, _ info: MediaInfo?) {
        tracks[index].isOpen = true
        tracks[index].info = info ?? tracks[index].info
    }

    mutating func fail(_ index: Int, _ message: String) {
        tracks[index].leaveQueue()
        tracks[index].failure = message
    }

    mutating func hear(_ title: TimedTitle, on index: Int) { tracks[index].heardTitle = title }

    /// A track turned out to be a list: its entries take its place.
    ///
    /// - Parameter isPlayable: its item plays the entry after those that failed.
    /// - Returns: the numbers of those that failed, and of the one that is played.
    mutating func expand(
        _ index: Int, to list: ItemList, isPlayable: Bool
    ) -> (failed: Range<Int>, played: Int?) {
        let (queued, isOpen) = (tracks[index].queued, tracks[index].isOpen)
        var entries = list.entries.map { entry in
            var track = PlayTrack(PlayInput(path: entry.location, title: entry.title))
            track.isFromList = true
            return track
        }
        let failures = list.failures.prefix(entries.count)
        for (place, failure) in failures.enumerated() { entries[place].failure = "\(failure)" }
        let played = isPlayable && failures.count < entries.count ? failures.count : nil
        if let played { (entries[played].queued, entries[played].isOpen) = (queued, isOpen) }
        tracks.replaceSubrange(index...index, with: entries)
        if index == current { current += played ?? max(0, failures.count - 1) }
        return (index..<index + failures.count, played.map { index + $0 })
    }

    // MARK: Edits

    /// Takes a track out.
    ///
    /// - Returns: what stands for it in the queue.
    mutating func remove(_ index: Int) -> AVPlayerItem? {
        if index < current { current -= 1 }
        return tracks.remove(at: index).item
    }

    /// Puts a track in before `index`; not to be heard if that is the one that is heard, or was.
    mutating func insert(_ input: PlayInput, at index: Int) {
        tracks.insert(PlayTrack(input), at: index)
        guard index <= current else { return }
        tracks[index].isOver = true
        current += 1
    }
}
