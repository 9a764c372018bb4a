/// The size limits for a peer's message.
package struct RTSPLimits: Hashable, Sendable {
    /// Most bytes of start line and headers, line ends included. Real heads are below 1 KiB; 16 KiB is the
    /// limit of common HTTP servers.
    package var headByteCount: Int
    /// Most header lines. Real peers send fewer than 20.
    package var headerCount: Int
    /// Most bytes of a body. The largest known is an artwork of some hundred KiB.
    package var bodyByteCount: Int

    /// Creates limits; the defaults are ``standard``.
    package init(headByteCount: Int = 16 << 10, headerCount: Int = 64, bodyByteCount: Int = 4 << 20) {
        self.headByteCount = headByteCount
        self.headerCount = headerCount
        self.bodyByteCount = bodyByteCount
    }

    /// The default limits.
    package static let standard = RTSPLimits()
}
