import TuttiHTTPService

/// The last changes, from which clients that come back resume. A value.
struct ChangeRing: Sendable {
    struct Entry: Sendable {
        let revision: UInt64
        let event: ServerSentEvent
    }

    /// Changes kept: some minutes of a busy evening.
    static let countLimit = 1_024
    /// Bytes kept: bounds what long names and messages hold.
    static let byteLimit = 4_194_304

    private var entries: [Entry] = []
    /// The place of the oldest entry; what is before it was dropped.
    private var first = 0
    private var bytes = 0
    /// All changes after this revision are here.
    private(set) var floor: UInt64 = 0
    /// The last change.
    private(set) var last: UInt64 = 0

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        bytes += entry.event.bytes.count
        last = max(last, entry.revision)
        while entries.count - first > Self.countLimit || bytes > Self.byteLimit { dropFirst() }
        if first > Self.countLimit {
            entries.removeFirst(first)
            first = 0
        }
    }

    private mutating func dropFirst() {
        floor = entries[first].revision
        bytes -= entries[first].event.bytes.count
        first += 1
    }

    /// Returns the changes after a revision; `nil` if some of them were dropped.
    func changes(after revision: UInt64) -> ArraySlice<Entry>? {
        guard revision >= floor else { return nil }
        let start = entries[first...].firstIndex { $0.revision > revision } ?? entries.endIndex
        return entries[start...]
    }
}
