/// How large a peer may make one message.
public struct RTSPLimits: Hashable, Sendable {
    /// Bytes of start line and headers with their line ends. Real heads are below 1 KiB; 16 KiB is
    /// what common HTTP servers allow.
    public var headByteCount: Int
    /// Header lines. Real peers send fewer than 20.
    public var headerCount: Int
    /// Bytes of a body. The largest known is an artwork of some hundred KiB.
    public var bodyByteCount: Int

    public init(headByteCount: Int = 16 << 10, headerCount: Int = 64, bodyByteCount: Int = 4 << 20) {
        self.headByteCount = headByteCount
        self.headerCount = headerCount
        self.bodyByteCount = bodyByteCount
    }

    public static let standard = RTSPLimits()
}
