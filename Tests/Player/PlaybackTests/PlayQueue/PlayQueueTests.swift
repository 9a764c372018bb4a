import Testing
import TuttiTestSupport

@testable import Playback

@Suite("A queue of entries to play")
struct PlayQueueTests {
    private struct Song: PlayQueueEntry {
        let id: Int
        var isPlayable = true
    }

    private var random = SeededGenerator(seed: 7)

    private func songs(_ ids: ClosedRange<Int>) -> [Song] { ids.map { Song(id: $0) } }
    private func ids(_ songs: [Song]) -> [Int] { songs.map(\.id) }

    private mutating func queue(_ count: Int = 5) throws -> PlayQueue<Song> {
        var queue = PlayQueue<Song>()
        try queue.insert(songs(1...count), at: .end, using: &random)
        return queue
    }

    @Test("entries play in order, and end without a repeat mode")
    mutating func order() throws {
        var queue = try queue()
        queue.setCurrent(3)
        #expect(ids(queue.upcoming(9)) == [3, 4, 5])
        #expect(queue.following == 4)
        queue.setCurrent(5)
        #expect(queue.following == nil)
    }

    @Test(
        "a repeat mode continues the order",
        arguments: [(PlayQueueRepeatMode.all, [4, 5, 1, 2, 3, 4]), (.one, [4, 4, 4, 4, 4, 4])])
    mutating func repeating(mode: PlayQueueRepeatMode, expected: [Int]) throws {
        var queue = try queue()
        queue.repeatMode = mode
        queue.setCurrent(4)
        #expect(ids(queue.upcoming(6)) == expected)
        // A user's "next" leaves a repeated entry.
        #expect(queue.following == 5)
    }

    @Test("an entry that cannot be played is passed over, and all of them end the order")
    mutating func failures() throws {
        var queue = try queue(3)
        queue.repeatMode = .all
        queue.setCurrent(1)
        queue.update(2) { $0.isPlayable = false }
        #expect(ids(queue.upcoming(4)) == [1, 3, 1, 3])
        #expect(queue.following == 3)
        queue.update(1) { $0.isPlayable = false }
        queue.update(3) { $0.isPlayable = false }
        #expect(queue.upcoming(4).isEmpty)
        #expect(queue.following == nil)
    }

    @Test("the entry before is one that can be played; the first has none without a repeat mode")
    mutating func preceding() throws {
        var queue = try queue()
        queue.setCurrent(3)
        queue.update(2) { $0.isPlayable = false }
        #expect(queue.preceding == 1)
        queue.setCurrent(1)
        #expect(queue.preceding == nil)
        queue.repeatMode = .all
        queue.update(5) { $0.isPlayable = false }
        #expect(queue.preceding == 4)
    }

    @Test("a jump in a shuffled queue plays what it passes over later")
    mutating func jump() throws {
        var queue = try queue()
        queue.setCurrent(2)
        queue.setShuffled(true, using: &random)
        let others = Array(ids(queue.upcoming(9)).dropFirst())
        let target = try #require(others.last)
        queue.jump(to: target)
        #expect(queue.order == [2, target] + others.dropLast())
        #expect(ids(queue.upcoming(9)) == [target] + others.dropLast())
        queue.jump(to: 77)
        #expect(queue.currentID == target)
    }

    @Test("entries that a user places in a shuffled queue play there")
    mutating func placedInShuffled() throws {
        var queue = try queue()
        queue.setCurrent(2)
        queue.setShuffled(true, using: &random)
        let order = queue.order
        try queue.insert([Song(id: 8)], at: .before(order[3]), using: &random)
        #expect(queue.order == order[..<3] + [8] + order[3...])
        try queue.insert([Song(id: 9)], at: .now, using: &random)
        #expect(queue.order == [2, 9] + order[1..<3] + [8] + order[3...])
        try queue.move([order[4], 9], before: 8)
        #expect(queue.order == [2] + order[1..<3] + [order[4], 9, 8, order[3]])
        try queue.insert(songs(20...29), at: .replace, using: &random)
        #expect(queue.order.first == 20 && queue.currentID == nil && queue.order.sorted() == Array(20...29))
    }

    @Test("a second entry of one id is ignored")
    mutating func knownIDs() throws {
        var queue = PlayQueue(entries: [Song(id: 1), Song(id: 1, isPlayable: false), Song(id: 2)])
        #expect(queue.entries == [Song(id: 1), Song(id: 2)])
        try queue.insert([Song(id: 2), Song(id: 3), Song(id: 3)], at: .end, using: &random)
        try queue.insert([Song(id: 4), Song(id: 1)], at: .before(1), using: &random)
        #expect(ids(queue.entries) == [4, 1, 2, 3] && queue.order == [4, 1, 2, 3])
        #expect(queue.entries.map { queue.entry($0.id) } == queue.entries)
    }

    @Test("only an update that changes an entry of the queue raises the revision")
    mutating func updates() throws {
        var queue = try queue(3)
        let revision = queue.revision
        queue.update(2) { $0.isPlayable = true }
        queue.update(77) { $0.isPlayable = false }
        #expect(queue.revision == revision)
        queue.update(2) { $0.isPlayable = false }
        #expect(queue.revision == revision + 1)
        #expect(queue.entries.map(\.isPlayable) == [true, false, true])
    }

    @Test(
        "new entries stand at their place",
        arguments: [
            (PlayQueuePlace<Int>.end, [1, 2, 3, 8, 9]), (.next, [1, 2, 8, 9, 3]), (.now, [1, 2, 8, 9, 3]),
            (.before(1), [8, 9, 1, 2, 3]), (.replace, [8, 9]),
        ])
    mutating func insertion(place: PlayQueuePlace<Int>, expected: [Int]) throws {
        var queue = try queue(3)
        queue.setCurrent(2)
        try queue.insert(songs(8...9), at: place, using: &random)
        #expect(ids(queue.entries) == expected)
        #expect(queue.order == queue.entries.map(\.id))
    }

    @Test("a queue refuses more than its limit, and an entry that is gone")
    mutating func refusals() throws {
        var queue = try queue(3)
        let limit = PlayQueue<Song>.defaultLimit
        let many = songs(10...limit + 7)
        #expect(throws: PlayQueueError<Int>.full(limit: limit)) {
            try queue.insert(many, at: .end, using: &random)
        }
        #expect(throws: PlayQueueError<Int>.noSuchEntry(77)) {
            try queue.insert(songs(8...8), at: .before(77), using: &random)
        }
        #expect(throws: PlayQueueError<Int>.noSuchEntry(77)) { try queue.move([1], before: 77) }
        #expect(ids(queue.entries) == [1, 2, 3])
    }

    @Test("a queue has the limit that it was made with, also for stored entries")
    func ownLimit() throws {
        var queue = PlayQueue(entries: songs(1...4), current: 4, limit: 3)
        #expect(ids(queue.entries) == [1, 2, 3] && queue.currentID == nil)
        #expect(throws: PlayQueueError<Int>.full(limit: 3)) { try queue.insert(songs(5...5), at: .end) }
        try queue.insert(songs(5...7), at: .replace)
        #expect(ids(queue.entries) == [5, 6, 7])
        #expect(throws: PlayQueueError<Int>.full(limit: 3)) { try queue.insert(songs(1...4), at: .replace) }
        #expect(ids(queue.entries) == [5, 6, 7])
    }

    @Test("a removed current entry gives its turn to the next one that stays")
    mutating func removal() throws {
        var queue = try queue()
        queue.setCurrent(2)
        let wasCurrent = queue.remove([2, 3, 77])
        #expect(wasCurrent)
        #expect(queue.currentID == 4)
        queue.setCurrent(5)
        queue.remove([5])
        #expect(queue.currentID == nil)
    }

    struct Move: Sendable {
        let moved: [Int]
        let target: Int?
        let expected: [Int]

        init(_ moved: [Int], before target: Int?, gives expected: [Int]) {
            (self.moved, self.target, self.expected) = (moved, target, expected)
        }
    }

    @Test(
        "moved entries keep the given order, also before an entry that moves itself",
        arguments: [
            Move([4, 2], before: 1, gives: [4, 2, 1, 3, 5]),
            Move([1, 2], before: nil, gives: [3, 4, 5, 1, 2]),
            Move([2, 3], before: 3, gives: [1, 2, 3, 4, 5]), Move([5], before: 5, gives: [1, 2, 3, 4, 5]),
            Move([1, 1, 77], before: 3, gives: [2, 1, 3, 4, 5]),
        ])
    mutating func moving(move: Move) throws {
        var queue = try queue()
        queue.setCurrent(1)
        try queue.move(move.moved, before: move.target)
        #expect(ids(queue.entries) == move.expected)
        #expect(queue.currentID == 1)
    }

    @Test("a shuffled queue keeps the current entry first, plays each entry once, and plays additions later")
    mutating func shuffling() throws {
        var queue = try queue(40)
        queue.setCurrent(17)
        queue.setShuffled(true, using: &random)
        #expect(queue.order.first == 17)
        #expect(Set(queue.order).count == 40)
        #expect(ids(queue.entries) == Array(1...40))
        queue.setCurrent(queue.order[20])
        try queue.insert(songs(50...59), at: .end, using: &random)
        let later = Set(queue.order[21...])
        #expect((50...59).allSatisfy { later.contains($0) })
        try queue.insert(songs(60...60), at: .next, using: &random)
        #expect(queue.following == 60)
        queue.setShuffled(false, using: &random)
        #expect(queue.order == queue.entries.map(\.id))
    }

    @Test("random edits keep both orders a permutation of the entries", arguments: 1...40)
    mutating func randomEdits(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var queue = try queue(6)
        var next = 100
        for _ in 0..<200 {
            let some = queue.entries.randomElement(using: &random)?.id
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                try queue.insert(songs(next...next + 2), at: .end, using: &random)
                next += 3
            case 1:
                try queue.insert(songs(next...next), at: .next, using: &random)
                next += 1
            case 2: if let some { queue.remove([some]) }
            case 3:
                let other = queue.entries.randomElement(using: &random)?.id
                if let some { try queue.move([some], before: other) }
            case 4: queue.setCurrent(some)
            case 5: queue.setShuffled(Bool.random(using: &random), using: &random)
            case 6: queue.setCurrent(queue.following)
            default: queue.repeatMode = PlayQueueRepeatMode.allCases.randomElement(using: &random) ?? .off
            }
            #expect(Set(queue.order) == Set(queue.entries.map(\.id)))
            #expect(queue.order.count == queue.entries.count)
            #expect(queue.currentID.map { queue.contains($0) } ?? true)
            let upcoming = queue.upcoming(10)
            if let current = queue.currentID { #expect(upcoming.first?.id == current) }
            let restored = PlayQueue(
                entries: queue.entries, order: queue.isShuffled ? queue.order : [], current: queue.currentID,
                isShuffled: queue.isShuffled, repeatMode: queue.repeatMode, revision: queue.revision)
            #expect(restored.order == queue.order && restored.currentID == queue.currentID)
        }
    }
}
