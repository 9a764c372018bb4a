/// A first-in, first-out queue in one contiguous piece of memory, with access by position.
///
/// Removed elements stay in front of the others until a compaction moves the others down, so appending and
/// removing take amortized constant time. The memory for elements is kept for later ones. The owner bounds
/// ``count``. Not shared between threads.
@usableFromInline package struct IndexedQueue<Element> {
    /// The operation that compacts the storage.
    @usableFromInline package enum Compaction: Sendable {
        /// Removal compacts once the removed elements are 1/32 of the others: each removal moves at most 32
        /// elements, and few removed elements stay alive. For elements that own memory.
        case onRemove
        /// Appending compacts once the removed elements are as many as the others: each element moves at most
        /// once. Removal leaves the storage alone, so that slices of it may be in use. For bytes.
        case onAppend
    }

    @usableFromInline var storage: [Element] = []
    @usableFromInline var head = 0
    @usableFromInline let compaction: Compaction

    /// Creates an empty queue.
    package init(compaction: Compaction = .onRemove) { self.compaction = compaction }

    /// The number of elements.
    @inlinable package var count: Int { storage.count - head }
    /// Whether the queue has no elements.
    @inlinable package var isEmpty: Bool { storage.count == head }
    /// The element that was appended first; `nil` in an empty queue.
    @inlinable package var first: Element? { isEmpty ? nil : storage[head] }
    /// The element that was appended last; `nil` in an empty queue.
    @inlinable package var last: Element? { isEmpty ? nil : storage[storage.count - 1] }

    /// The element at a position from the front.
    ///
    /// - Precondition: `0 ..< count`.
    @inlinable package subscript(position: Int) -> Element {
        precondition(position >= 0, "position before the front")
        return storage[head + position]
    }

    /// The elements at these positions from the front; the slice shares the queue's memory.
    ///
    /// - Precondition: the range is inside `0 ..< count`.
    @inlinable package subscript(positions: Range<Int>) -> ArraySlice<Element> {
        precondition(positions.lowerBound >= 0, "position before the front")
        return storage[head + positions.lowerBound..<head + positions.upperBound]
    }

    /// Appends an element.
    @inlinable package mutating func append(_ element: Element) {
        prepareForAppending()
        storage.append(element)
    }

    /// Appends elements in order.
    @inlinable package mutating func append(contentsOf elements: some Sequence<Element>) {
        prepareForAppending()
        storage.append(contentsOf: elements)
    }

    /// Removes and returns the first element; `nil` in an empty queue.
    @inlinable package mutating func popFirst() -> Element? {
        guard let first else { return nil }
        removeFirst()
        return first
    }

    /// Removes up to `amount` elements from the front.
    @inlinable package mutating func removeFirst(_ amount: Int = 1) {
        precondition(amount >= 0, "a negative number of elements")
        head += min(amount, count)
        if compaction == .onRemove, head > 0, head >= count / 32 { compact() }
    }

    /// Keeps the first `amount` elements.
    @inlinable package mutating func truncate(to amount: Int) {
        precondition(amount >= 0, "a negative number of elements")
        if amount < count { storage.removeLast(count - amount) }
    }

    /// Removes all elements.
    @inlinable package mutating func removeAll(keepingCapacity: Bool = true) {
        storage.removeAll(keepingCapacity: keepingCapacity)
        head = 0
    }

    /// Lends the elements in order; they are valid during the call.
    @inlinable package func withUnsafeBufferPointer<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let head = head
        return try storage.withUnsafeBufferPointer {
            (all: UnsafeBufferPointer<Element>) throws(Failure) -> Result in
            try body(UnsafeBufferPointer(rebasing: all[head...]))
        }
    }

    /// Returns the first position whose element does not satisfy `isBefore`, by which elements must be
    /// partitioned.
    @inlinable package func partitionPoint(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(storage[head + middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @inlinable mutating func prepareForAppending() {
        if compaction == .onAppend, head > 0, head >= count { compact() }
    }

    @inlinable mutating func compact() {
        storage.removeFirst(head)
        head = 0
    }
}

extension IndexedQueue: Sendable where Element: Sendable {}
