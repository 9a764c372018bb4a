import CTuttiLinux

/// Settings of the C library's allocator.
package enum AllocatorArenas {
    /// Blocks of this size or more get pages of their own, which return to the system when they are freed. By
    /// default the allocator raises this limit to the largest block that was freed, and so retains memory
    /// after a few pictures.
    static let ownPagesByteCount: Int32 = 256 << 10

    /// Limits the number of arenas, and keeps large blocks out of the heap; both otherwise hold unused
    /// memory. Call before threads start.
    package static func limit(to count: Int32) {
        // Refused only for invalid values; memory use then stays at the default.
        _ = mallopt(M_ARENA_MAX, count)
        _ = mallopt(M_MMAP_THRESHOLD, ownPagesByteCount)
    }

    /// Returns free pages of the heap to the system: after work that took much memory for a moment. Takes some
    /// milliseconds, in which other threads that allocate wait.
    package static func giveBack() { malloc_trim(0) }

    /// Bytes in blocks with pages of their own.
    static var ownPagesInUse: Int { Int(mallinfo2().hblkhd) }
}
