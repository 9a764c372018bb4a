/// Settings of a connection.
public struct DatabaseOptions: Sendable, Hashable {
    /// The size to which the log shrinks after a large transaction.
    static let logByteLimit = 16 << 20

    /// The most bytes of pages that the connection keeps in memory.
    public var cacheByteCount: Int
    /// The longest wait for another connection that writes, in whole seconds.
    public var busyTimeout: Duration
    /// Whether each commit waits for the disk. Otherwise a power cut may lose the last commits, never the
    /// database; a crash of the process loses nothing either way.
    public var survivesPowerCut: Bool
    /// The most pages of the file; `nil` for SQLite's own limit. A full file fails like a full disk.
    public var pageLimit: Int?

    /// Creates settings.
    public init(
        cacheByteCount: Int = 4 << 20, busyTimeout: Duration = .seconds(5), survivesPowerCut: Bool = false,
        pageLimit: Int? = nil
    ) {
        (self.cacheByteCount, self.busyTimeout) = (cacheByteCount, busyTimeout)
        (self.survivesPowerCut, self.pageLimit) = (survivesPowerCut, pageLimit)
    }
}
