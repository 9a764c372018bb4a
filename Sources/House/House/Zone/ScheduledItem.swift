import AVFoundation
import Synchronization

/// An entry with the item that plays it.
struct ScheduledItem {
    let entry: EntryID
    /// The entry as the house knew it last.
    var latest: QueueEntry
    let item: AVPlayerItem
    /// Seconds of the file before the track, for a track of a cue sheet.
    let start: Double
    private let observations: [NSKeyValueObservation]

    init(_ entry: QueueEntry, item: AVPlayerItem, observations: [NSKeyValueObservation]) {
        (self.entry, latest, self.item, self.observations) = (entry.id, entry, item, observations)
        start = entry.track.start
    }

    /// Whether the player has opened the file.
    var isOpen: Bool { item.status == .readyToPlay }
}

/// The entries of the items that a player has or had, so that notifications find them. Any thread.
final class ItemEntries: Sendable {
    private let entries = Mutex<[ObjectIdentifier: EntryID]>([:])

    func set(_ entry: EntryID?, of item: AVPlayerItem) {
        entries.withLock { $0[ObjectIdentifier(item)] = entry }
    }

    func entry(of item: AVPlayerItem?) -> EntryID? {
        item.flatMap { item in entries.withLock { $0[ObjectIdentifier(item)] } }
    }
}
