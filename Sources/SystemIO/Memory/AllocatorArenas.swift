internal import CLinux

/// The C library's allocator.
public enum AllocatorArenas {
    /// Blocks of this size and more have pages of their own, which the system gets back when they are freed. Left alone
    /// the allocator raises its limit to the largest block it has seen, and keeps what a few pictures took.
    static let ownPagesByteCount: Int32 = 256 << 10

    /// Keeps the allocator from making an arena for each thread, and from keeping large blocks, which both hold
    /// memory that nobody uses. Call it before threads are started.
    public static func limit(to count: Int32) {
        // Refused only for nonsense; then memory is as before.
        _ = mallopt(M_ARENA_MAX, count)
        _ = mallopt(M_MMAP_THRESHOLD, ownPagesByteCount)
    }

    /// Bytes in blocks with pages of their own.
    static var ownPagesInUse: Int { Int(mallinfo2().hblkhd) }
}
