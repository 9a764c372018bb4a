import TuttiHouse

/// A zone's queue as clients have been told of it, with the version at which each place last changed. A
/// value.
struct QueueMirror: Sendable {
    /// The revision of the house's queue.
    private(set) var revision: UInt64
    /// The number that clients compare, from 1.
    private(set) var version = 1
    private(set) var entries: [QueueEntry]
    private var versions: [Int]
    private var places: [EntryID: Int]

    init(_ page: QueuePage) {
        (revision, entries) = (page.revision, page.entries)
        versions = Array(repeating: 1, count: page.entries.count)
        places = Self.places(page.entries)
    }

    private static func places(_ entries: [QueueEntry]) -> [EntryID: Int] {
        Dictionary(entries.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Takes a later state of the queue; an earlier one changes nothing.
    mutating func update(_ page: QueuePage) {
        guard page.revision > revision else { return }
        revision = page.revision
        increment()
        var new = Array(repeating: version, count: page.entries.count)
        for place in 0..<min(entries.count, page.entries.count)
        where entries[place] == page.entries[place] {
            new[place] = versions[place]
        }
        (entries, versions, places) = (page.entries, new, Self.places(page.entries))
    }

    /// Notes that an entry shows something else now, such as a station's title.
    mutating func touch(_ place: Int) {
        guard versions.indices.contains(place) else { return }
        increment()
        versions[place] = version
    }

    private mutating func increment() {
        // Clients keep versions in 31 bits.
        version = version >= Int(Int32.max) ? 1 : version + 1
    }

    func place(of id: EntryID) -> Int? { places[id] }

    /// Returns the places of a range, which may reach beyond the end; a single place may not.
    func places(in range: String) throws(CommandError) -> Range<Int> {
        let wanted = try Argument.range(range, count: entries.count)
        guard range.contains(":") || wanted.upperBound <= entries.count else { throw CommandError.badIndex }
        return wanted.clamped(to: 0..<entries.count)
    }

    /// Returns the places that have changed since a version; all of them for a version of another time.
    func changes(since known: Int) -> [Int] {
        known > version ? Array(entries.indices) : entries.indices.filter { versions[$0] > known }
    }
}
