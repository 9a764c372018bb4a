import TestSupport
import Testing

@testable import AirPlaySender

@Suite("a queue with access by position")
struct IndexedQueueTests {
    @Test("behaves like an array, whatever the operations", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = IndexedQueue<Int>()
        var model: [Int] = []
        var next = 0
        for _ in 0..<4000 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<60:
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    queue.append(next)
                    model.append(next)
                    next += 1
                }
            case 60..<90:
                // Now and then nearly all, so that the storage is moved down.
                let most = Bool.random(using: &random) ? 4 : model.count
                let count = Int.random(in: 0...max(0, min(most, model.count)), using: &random)
                queue.removeFirst(count)
                model.removeFirst(count)
            case 90..<98:
                let count = Int.random(in: 0...model.count + 2, using: &random)
                queue.truncate(to: count)
                model.removeLast(max(0, model.count - count))
            default:
                queue.removeAll()
                model.removeAll()
            }
            expectEqual(queue, model, using: &random)
        }
        #expect(next > 1000)
    }

    private func expectEqual(_ queue: IndexedQueue<Int>, _ model: [Int], using random: inout SeededGenerator)
    {
        #expect(queue.count == model.count)
        #expect(queue.isEmpty == model.isEmpty)
        #expect(queue.first == model.first)
        #expect(queue.last == model.last)
        guard !model.isEmpty else { return }
        let position = Int.random(in: 0..<model.count, using: &random)
        #expect(queue[position] == model[position])
        let limit = model[position] + Int.random(in: -2...2, using: &random)
        #expect(
            queue.partitionPoint { $0 < limit } == model.firstIndex { $0 >= limit } ?? model.count)
    }

    @Test("the partition point of all and of none")
    func partitionEnds() {
        var queue = IndexedQueue<Int>()
        #expect(queue.partitionPoint { _ in true } == 0)
        for value in 0..<200 { queue.append(value) }
        queue.removeFirst(150)
        #expect(queue.partitionPoint { _ in true } == 50)
        #expect(queue.partitionPoint { _ in false } == 0)
        #expect(queue[0] == 150)
        #expect(queue[49] == 199)
    }

    @Test("dead elements are let go of once they are the larger part")
    func releases() {
        final class Token {}
        var queue = IndexedQueue<Token>()
        weak var first: Token?
        for number in 0..<200 {
            let token = Token()
            if number == 0 { first = token }
            queue.append(token)
        }
        #expect(first != nil)
        queue.removeFirst(101)
        #expect(first == nil)
    }
}
