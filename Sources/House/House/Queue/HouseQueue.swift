import Playback
import TuttiMusicLibrary

/// The queue of a zone.
typealias HouseQueue = PlayQueue<QueueEntry>

extension PlayQueue<QueueEntry> {
    /// Notes that an entry cannot be played; `nil` lets it be tried again.
    mutating func setFailure(_ failure: String?, of id: EntryID) {
        // A track of unknown length (NaN) is not equal to itself, so the update alone would be a change.
        guard let entry = entry(id), entry.failure != failure else { return }
        update(id) { $0.failure = failure }
    }

    /// Lets all entries be tried again.
    mutating func clearFailures() {
        for entry in entries where entry.failure != nil { setFailure(nil, of: entry.id) }
    }

    /// Makes a queue like another one, with copies of its entries.
    ///
    /// - Parameter entries: The copies, in the order of the entries.
    init(copying other: HouseQueue, as entries: [QueueEntry], revision: UInt64) {
        let ids = Dictionary(
            zip(other.entries.map(\.id), entries.map(\.id)), uniquingKeysWith: { $1 })
        self.init(
            entries: entries, order: other.order.compactMap { ids[$0] },
            current: other.currentID.flatMap { ids[$0] }, isShuffled: other.isShuffled,
            repeatMode: other.repeatMode, revision: revision)
    }

    /// Completes what is known of a track, once its file was opened.
    mutating func complete(_ id: EntryID, _ change: (inout PlayableTrack) -> Void) {
        update(id) { change(&$0.track) }
    }
}

extension HouseError {
    /// Makes the house's error of a queue's.
    init(_ error: PlayQueueError<EntryID>) {
        switch error {
        case .full(let limit): self.init(.limit, "A queue holds \(limit) entries; remove some first.")
        case .noSuchEntry(let id):
            self.init(.notFound, "The queue has no entry \(id); somebody may have removed it.")
        }
    }
}
