import Testing
import TuttiHouse
import TuttiMusicLibrary
import TuttiTestSupport

@testable import TuttiHouseMPD

@Suite("The queue as clients keep it")
struct QueueMirrorTests {
    private static func page(_ revision: UInt64, _ entries: [QueueEntry]) -> QueuePage {
        QueuePage(revision: revision, length: entries.count, start: 0, entries: entries)
    }

    private static func entry(_ id: Int64) -> QueueEntry {
        QueueEntry(id: EntryID(rawValue: id), track: PlayableTrack(location: "/\(id)", title: "\(id)"))
    }

    /// A client that reads only the changes since its version, as the protocol describes it.
    private struct Reader {
        var version = 0
        var entries: [QueueEntry] = []

        mutating func update(from queue: QueueMirror) {
            let length = queue.entries.count
            entries = Array(entries.prefix(length))
            for place in queue.changes(since: version) {
                if place < entries.count {
                    entries[place] = queue.entries[place]
                } else {
                    // Changes come in order, so that none leaves a gap.
                    entries.append(queue.entries[place])
                }
            }
            version = queue.version
        }
    }

    @Test("a client that reads changes, at whatever times, has the queue", arguments: UInt64(1)...20)
    func reading(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var entries = (1...8).map { Self.entry($0) }
        var (revision, next): (UInt64, Int64) = (1, 9)
        var queue = QueueMirror(Self.page(revision, entries))
        var readers = Array(repeating: Reader(), count: 3)
        for _ in 0..<300 {
            revision += 1
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                entries.insert(Self.entry(next), at: Int.random(in: 0...entries.count, using: &random))
                next += 1
            case 1 where !entries.isEmpty: entries.remove(at: Int.random(in: entries.indices, using: &random))
            case 2: entries.shuffle(using: &random)
            case 3 where !entries.isEmpty:
                let place = Int.random(in: entries.indices, using: &random)
                entries[place].track.title += "!"
            case 4: entries = Array(entries.prefix(Int.random(in: 0...12, using: &random)))
            default: entries += (0..<3).map { Self.entry(next + $0) }
            }
            next += 3
            queue.update(Self.page(revision, entries))
            if Bool.random(using: &random) { queue.update(Self.page(revision - 1, [])) }
            queue.touch(Int.random(in: 0...20, using: &random))
            let reader = Int.random(in: readers.indices, using: &random)
            readers[reader].update(from: queue)
            #expect(readers[reader].entries == entries)
            for (place, entry) in entries.enumerated() { #expect(queue.place(of: entry.id) == place) }
        }
    }

    @Test("a version of the future is one of another time, for which everything has changed")
    func future() {
        var queue = QueueMirror(Self.page(1, [Self.entry(1), Self.entry(2)]))
        for revision in 2...5 as ClosedRange<UInt64> { queue.update(Self.page(revision, queue.entries)) }
        #expect(queue.changes(since: queue.version).isEmpty)
        #expect(queue.changes(since: queue.version + 1) == [0, 1])
        #expect(queue.changes(since: 1).isEmpty, "the entries have stayed")
        #expect(queue.changes(since: 0) == [0, 1])
    }

    @Test("a single place must be there, a range may reach beyond the end")
    func places() throws {
        let queue = QueueMirror(Self.page(1, [Self.entry(1), Self.entry(2), Self.entry(3)]))
        let rows: [(String, Range<Int>)] = [
            ("2", 2..<3), ("1:", 1..<3), ("1:9", 1..<3), ("3:", 3..<3), ("0:0", 0..<0), ("7:9", 3..<3),
        ]
        for (text, range) in rows { #expect(try queue.places(in: text) == range, "\(text)") }
        for text in ["3", "-1", "x", "2:1", "9223372036854775807"] {
            #expect(throws: CommandError.self, "\(text)") { try queue.places(in: text) }
        }
    }
}
