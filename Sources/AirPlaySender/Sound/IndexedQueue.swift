/// First in, first out, with access by position; both ends cost amortised O(1).
struct IndexedQueue<Element> {
    private var storage: [Element] = []
    private var head = 0

    var count: Int { storage.count - head }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : storage[head] }
    var last: Element? { isEmpty ? nil : storage[storage.count - 1] }

    /// - Precondition: `0 ..< count`.
    subscript(position: Int) -> Element {
        precondition(position >= 0 && position < count)
        return storage[head + position]
    }

    mutating func append(_ element: Element) { storage.append(element) }

    mutating func removeFirst(_ amount: Int = 1) {
        head = min(head + amount, storage.count)
        // What is removed is let go of soon, because elements may hold memory; moving the rest down costs
        // little against what an element stands for.
        if head > 256 || head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
    }

    /// Keeps the first `amount` elements.
    mutating func truncate(to amount: Int) {
        if amount < count { storage.removeLast(count - amount) }
    }

    mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        head = 0
    }

    /// The first position whose element does not satisfy `isBefore`; elements must be partitioned by it.
    func partitionPoint(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(storage[head + middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
