import Testing
import TuttiTestSupport

@testable import TuttiWire

@Suite("a queue with access by position")
struct IndexedQueueTests {
    @Test(
        "behaves like an array, whatever the operations", arguments: [1, 2, 3, 4, 5] as [UInt64],
        [.onRemove, .onAppend] as [IndexedQueue<Int>.Compaction])
    func model(seed: UInt64, compaction: IndexedQueue<Int>.Compaction) {
        var random = SeededGenerator(seed: seed)
        var queue = IndexedQueue<Int>(compaction: compaction)
        var model: [Int] = []
        var next = 0
        for _ in 0..<4000 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<10:
                let more = next..<next + Int.random(in: 0...20, using: &random)
                queue.append(contentsOf: more)
                model.append(contentsOf: more)
                next = more.upperBound
            case 10..<60:
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
            case 90..<94:
                let first = queue.popFirst()
                #expect(first == model.first)
                if !model.isEmpty { model.removeFirst() }
            case 94..<98:
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
        #expect(queue[position..<model.count] == model[position...])
        queue.withUnsafeBufferPointer { #expect($0.elementsEqual(model)) }
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

    private final class Token: Sendable {}

    @Test("removed elements are released once they are 1/32 of the others")
    func releases() {
        var queue = IndexedQueue<Token>()
        weak var first: Token?
        for number in 0..<200 {
            let token = Token()
            if number == 0 { first = token }
            queue.append(token)
        }
        queue.removeFirst(5)
        #expect(first != nil)
        queue.removeFirst(2)
        #expect(first == nil)
    }

    @Test("a short queue holds no removed element")
    func releasesAtOnce() {
        var queue = IndexedQueue<Token>()
        queue.append(Token())
        weak var first: Token?
        first = queue.first
        for _ in 0..<20 { queue.append(Token()) }
        #expect(first != nil)
        queue.removeFirst()
        #expect(first == nil)
    }

    @Test("removal leaves a slice's memory in place; appending reuses the room of removed elements")
    func lends() {
        var queue = IndexedQueue<UInt8>(compaction: .onAppend)
        queue.append(contentsOf: repeatElement(7, count: 1000))
        let address = queue[0..<1000].withUnsafeBufferPointer { $0.baseAddress }
        let slice = queue[0..<600]
        queue.removeFirst(600)
        #expect(slice.withUnsafeBufferPointer { $0.baseAddress } == address)
        #expect(queue[0..<400].withUnsafeBufferPointer { $0.baseAddress } == address.map { $0 + 600 })
    }

    @Test("storage stays within twice the elements and does not grow with what passes through")
    func bounded() {
        for compaction in [IndexedQueue<UInt8>.Compaction.onRemove, .onAppend] {
            var queue = IndexedQueue<UInt8>(compaction: compaction)
            for _ in 0..<1000 {
                queue.append(contentsOf: repeatElement(1, count: 100))
                if queue.count > 300 { queue.removeFirst(100) }
                #expect(queue.storage.count <= 2 * queue.count + 100)
            }
        }
    }
}
