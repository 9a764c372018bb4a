import Foundation
import Synchronization

/// One piece of memory that block buffers share, allocated when it is first needed.
final class MemoryBlock: @unchecked Sendable {
    // Safe to share: the length and the functions never change, and the pointer goes from nil to its only
    // value by one atomic step. Who writes the bytes themselves is up to the clients, as with any pointer.

    typealias Deallocator = (UnsafeMutableRawPointer, Int) -> Void

    let length: Int
    private let pointer: Atomic<UnsafeMutableRawPointer?>
    private let allocate: (Int) -> UnsafeMutableRawPointer?
    private let deallocate: Deallocator?

    /// Memory that exists. Without a deallocator it is borrowed: its owner keeps it alive.
    init(pointer: UnsafeMutableRawPointer, length: Int, deallocate: Deallocator?) {
        self.length = length
        self.pointer = Atomic(pointer)
        allocate = { _ in nil }
        self.deallocate = deallocate
    }

    /// Memory to come.
    init(
        length: Int, allocate: @escaping (Int) -> UnsafeMutableRawPointer? = { calloc(1, max(1, $0)) },
        deallocate: @escaping Deallocator = { memory, _ in free(memory) }
    ) {
        self.length = length
        pointer = Atomic(nil)
        self.allocate = allocate
        self.deallocate = deallocate
    }

    deinit {
        if let memory = allocated { deallocate?(memory, length) }
    }

    /// The memory, if there is any yet.
    var allocated: UnsafeMutableRawPointer? { pointer.load(ordering: .acquiring) }

    /// The memory, allocated now if it was not; `nil` if that fails.
    func assured() -> UnsafeMutableRawPointer? {
        if let memory = allocated { return memory }
        guard let fresh = allocate(length) else { return nil }
        let (exchanged, original) = pointer.compareExchange(
            expected: nil, desired: fresh, ordering: .acquiringAndReleasing)
        if exchanged { return fresh }
        deallocate?(fresh, length)
        return original
    }
}

/// A part of a memory block, as one link of a block buffer.
struct BlockSegment {
    let block: MemoryBlock
    let offset: Int
    let length: Int

    /// The bytes, if their memory is allocated.
    var allocated: UnsafeMutableRawPointer? { block.allocated.map { $0 + offset } }

    /// The bytes, allocated now if they were not.
    func assured() throws -> UnsafeMutableRawPointer {
        guard let memory = block.assured() else { throw CMBlockBuffer.Error.blockAllocationFailed }
        return memory + offset
    }
}
