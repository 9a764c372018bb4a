internal import CLinux

/// The C library's allocator.
public enum AllocatorArenas {
    /// Keeps the allocator from making an arena for each thread, which holds memory that nobody uses.
    /// Call it before threads are started.
    public static func limit(to count: Int32) {
        // Refused only for nonsense; then memory is as before.
        _ = mallopt(M_ARENA_MAX, count)
    }
}
