import Foundation
import Synchronization

/// A piece of memory that block buffers share, allocated on first use.
final class MemoryBlock: @unchecked Sendable {
    // Safe to share: the length and the functions never change, and one atomic exchange sets the pointer.
    // Clients synchronise access to the bytes themselves, as with any pointer.

    typealias Deallocator = (UnsafeMutableRawPointer, Int) -> Void

    let length: Int
    private let pointer: Atomic<UnsafeMutableRawPointer?>
    private let allocate: (Int) -> UnsafeMutableRawPointer?
    private let deallocate: Deallocator?

    /// Wraps existing memory. Without a deallocator the memory is borrowed: its owner keeps it alive.
    init(pointer: UnsafeMutableRawPointer, length: Int, deallocate: Deallocator?) {
        self.length = length
        self.pointer = Atomic(pointer)
        allocate = { _ in nil }
        self.deallocate = deallocate
    }

    /// Creates a block that allocates its memory on first use.
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

    /// The memory, or `nil` before its allocation.
    var allocated: UnsafeMutableRawPointer? { pointer.load(ordering: .acquiring) }

    /// Returns the memory, allocating it if needed; `nil` if the allocation fails.
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

/// A part of a memory block, as one segment of a block buffer.
struct BlockSegment {
    let block: MemoryBlock
    let offset: Int
    let length: Int

    /// The bytes, or `nil` before their allocation.
    var allocated: UnsafeMutableRawPointer? { block.allocated.map { $0 + offset } }

    /// Returns the bytes, allocating their memory if needed.
    func assured() throws -> UnsafeMutableRawPointer {
        guard let memory = block.assured() else { throw CMBlockBuffer.Error.blockAllocationFailed }
        return memory + offset
    }
}
