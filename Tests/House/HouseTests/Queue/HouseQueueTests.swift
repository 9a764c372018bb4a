import Testing
import TuttiMusicLibrary
import TuttiTestSupport

@testable import TuttiHouse

@Suite("The queue of a zone")
struct HouseQueueTests {
    private var random = SeededGenerator(seed: 7)

    private func entries(_ ids: ClosedRange<Int64>) -> [QueueEntry] {
        ids.map {
            QueueEntry(id: EntryID(rawValue: $0), track: PlayableTrack(location: "\($0)", title: "\($0)"))
        }
    }

    private func ids(_ entries: [QueueEntry]) -> [Int64] { entries.map(\.id.rawValue) }
    private func id(_ value: Int64) -> EntryID { EntryID(rawValue: value) }

    private mutating func queue(_ count: Int64 = 5) throws -> HouseQueue {
        var queue = HouseQueue()
        try queue.insert(entries(1...count), at: .end, using: &random)
        return queue
    }

    @Test("entries play in order, and end without a repeat mode")
    mutating func order() throws {
        var queue = try queue()
        queue.setCurrent(id(3))
        #expect(ids(queue.upcoming(9)) == [3, 4, 5])
        #expect(queue.following == id(4))
        queue.setCurrent(id(5))
        #expect(queue.following == nil)
    }

    @Test(
        "a repeat mode continues the order",
        arguments: [(RepeatMode.all, [4, 5, 1, 2, 3, 4] as [Int64]), (.one, [4, 4, 4, 4, 4, 4])])
    mutating func repeating(mode: RepeatMode, expected: [Int64]) throws {
        var queue = try queue()
        queue.repeatMode = mode
        queue.setCurrent(id(4))
        #expect(ids(queue.upcoming(6)) == expected)
        // A user's "next" leaves a repeated entry.
        #expect(queue.following == id(5))
    }

    @Test("an entry that cannot be played is passed over, and all of them end the order")
    mutating func failures() throws {
        var queue = try queue(3)
        queue.repeatMode = .all
        queue.setCurrent(id(1))
        queue.setFailure("no", of: id(2))
        #expect(ids(queue.upcoming(4)) == [1, 3, 1, 3])
        #expect(queue.following == id(3))
        queue.setFailure("no", of: id(1))
        queue.setFailure("no", of: id(3))
        #expect(queue.upcoming(4).isEmpty)
        #expect(queue.following == nil)
    }

    @Test(
        "new entries stand at their place",
        arguments: [
            (QueuePlace.end, [1, 2, 3, 8, 9] as [Int64]), (.next, [1, 2, 8, 9, 3]), (.now, [1, 2, 8, 9, 3]),
            (.before(EntryID(rawValue: 1)), [8, 9, 1, 2, 3]), (.replace, [8, 9]),
        ])
    mutating func insertion(place: QueuePlace, expected: [Int64]) throws {
        var queue = try queue(3)
        queue.setCurrent(id(2))
        try queue.insert(entries(8...9), at: place, using: &random)
        #expect(ids(queue.entries) == expected)
        #expect(queue.order == queue.entries.map(\.id))
    }

    @Test("a queue refuses more than its limit, and an entry that is gone")
    mutating func refusals() throws {
        var queue = try queue(3)
        let many = entries(10...Int64(HouseQueue.limit + 7))
        #expect(throws: HouseError.self) { try queue.insert(many, at: .end, using: &random) }
        #expect(throws: HouseError.self) {
            try queue.insert(entries(8...8), at: .before(id(77)), using: &random)
        }
        #expect(throws: HouseError.self) { try queue.move([id(1)], before: id(77)) }
        #expect(ids(queue.entries) == [1, 2, 3])
    }

    @Test("a removed current entry gives its turn to the next one that stays")
    mutating func removal() throws {
        var queue = try queue()
        queue.setCurrent(id(2))
        let wasCurrent = queue.remove([id(2), id(3), id(77)])
        #expect(wasCurrent)
        #expect(queue.currentID == id(4))
        queue.setCurrent(id(5))
        queue.remove([id(5)])
        #expect(queue.currentID == nil)
    }

    struct Move: Sendable {
        let moved: [Int64]
        let target: Int64?
        let expected: [Int64]

        init(_ moved: [Int64], before target: Int64?, gives expected: [Int64]) {
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
        queue.setCurrent(id(1))
        try queue.move(move.moved.map { id($0) }, before: move.target.map { id($0) })
        #expect(ids(queue.entries) == move.expected)
        #expect(queue.currentID == id(1))
    }

    @Test("a shuffled queue keeps the current entry first, plays each entry once, and plays additions later")
    mutating func shuffling() throws {
        var queue = try queue(40)
        queue.setCurrent(id(17))
        queue.setShuffled(true, using: &random)
        #expect(queue.order.first == id(17))
        #expect(Set(queue.order).count == 40)
        #expect(ids(queue.entries) == Array(1...40))
        queue.setCurrent(queue.order[20])
        try queue.insert(entries(50...59), at: .end, using: &random)
        let later = Set(queue.order[21...])
        #expect((50...59).allSatisfy { later.contains(id($0)) })
        try queue.insert(entries(60...60), at: .next, using: &random)
        #expect(queue.following == id(60))
        queue.setShuffled(false, using: &random)
        #expect(queue.order == queue.entries.map(\.id))
    }

    @Test("random edits keep both orders a permutation of the entries", arguments: 1...40)
    mutating func randomEdits(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var queue = try queue(6)
        var next: Int64 = 100
        for _ in 0..<200 {
            let some = queue.entries.randomElement(using: &random)?.id
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                try queue.insert(entries(next...next + 2), at: .end, using: &random)
                next += 3
            case 1:
                try queue.insert(entries(next...next), at: .next, using: &random)
                next += 1
            case 2: if let some { queue.remove([some]) }
            case 3:
                let other = queue.entries.randomElement(using: &random)?.id
                if let some { try queue.move([some], before: other) }
            case 4: queue.setCurrent(some)
            case 5: queue.setShuffled(Bool.random(using: &random), using: &random)
            case 6: queue.setCurrent(queue.following)
            default: queue.repeatMode = RepeatMode.allCases.randomElement(using: &random) ?? .off
            }
            #expect(Set(queue.order) == Set(queue.entries.map(\.id)))
            #expect(queue.order.count == queue.entries.count)
            #expect(queue.currentID.map { queue.contains($0) } ?? true)
            let upcoming = queue.upcoming(10)
            if let current = queue.currentID { #expect(upcoming.first?.id == current) }
            let restored = HouseQueue(
                entries: queue.entries, order: queue.isShuffled ? queue.order : [], current: queue.currentID,
                isShuffled: queue.isShuffled, repeatMode: queue.repeatMode, revision: queue.revision)
            #expect(restored.order == queue.order && restored.currentID == queue.currentID)
        }
    }
}
