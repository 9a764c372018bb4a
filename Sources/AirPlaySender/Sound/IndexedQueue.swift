/// A first-in, first-out queue with access by position; both ends are cheap.
struct IndexedQueue<Element> {
    private var storage: [Element] = []
    private var head = 0

    var count: Int { storage.count - head }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : storage[head] }
    var last: Element? { isEmpty ? nil : storage[storage.count - 1] }

    /// The element at a position from the front.
    ///
    /// - Precondition: `0 ..< count`.
    subscript(position: Int) -> Element {
        precondition(position >= 0 && position < count)
        return storage[head + position]
    }

    mutating func append(_ element: Element) { storage.append(element) }

    mutating func removeFirst(_ amount: Int = 1) {
        head = min(head + amount, storage.count)
        // Release removed elements soon, because they may hold memory; moving the rest down costs little
        // compared with what an element stands for.
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

    /// Returns the first position whose element does not satisfy `isBefore`, by which elements must be partitioned.
    func partitionPoint(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(storage[head + middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
