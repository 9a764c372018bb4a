/// An entry of a ``PlayQueue``, known by its id.
public protocol PlayQueueEntry: Identifiable, Equatable, Sendable where ID: Sendable {
    /// Whether the entry can be played, as far as is known. The queue passes over entries that cannot.
    var isPlayable: Bool { get }
}

/// The order in which a queue continues after an entry.
public enum PlayQueueRepeatMode: String, Codable, Sendable, CaseIterable {
    /// Playback ends after the last entry.
    case off
    /// The current entry repeats.
    case one
    /// The first entry follows the last one.
    case all
}

/// The place of new entries in a queue.
public enum PlayQueuePlace<ID: Hashable & Sendable>: Hashable, Sendable {
    /// After the last entry.
    case end
    /// After the current entry.
    case next
    /// Before this entry.
    case before(ID)
    /// After the current entry, as ``next``; for callers that make the first of them the current one.
    case now
    /// In place of all entries. No entry is current then.
    case replace
}

/// The reason why an edit of a queue was refused; the queue has not changed.
public enum PlayQueueError<ID: Hashable & Sendable>: Error, Hashable, CustomStringConvertible {
    /// The queue would have more entries than its limit.
    case full(limit: Int)
    /// The queue has no entry of this id; it may have been removed.
    case noSuchEntry(ID)

    /// A sentence about the error.
    public var description: String {
        switch self {
        case .full(let limit): "a queue holds \(limit) entries; remove some first"
        case .noSuchEntry(let id): "the queue has no entry \(id); it may have been removed"
        }
    }
}
