/// Limits of memory and time for one source.
package struct WebLimits: Hashable, Sendable {
    /// Bytes to prefetch ahead of the reader. The previous position may cache as many again.
    package var windowBytes = 8 << 20
    /// Bytes kept behind the reader.
    package var keptBytes = 256 << 10
    /// The longest forward jump beyond the cached bytes, in bytes, that is bridged by reading on instead of a
    /// new request.
    package var shortJumpBytes = 256 << 10
    /// Bytes requested before the target of a jump, because a search in a file continues in small steps back.
    package var leadBytes = 32 << 10
    /// The most bytes dropped to reach an offset on a server without range support.
    package var skippedBytes = 64 << 20
    /// The longest wait of a read without a single byte.
    package var timeLimit = Duration.seconds(15)
    /// The fewest bytes in ``leastTime`` before a waiting read fails: 128 bytes per second, a fifth of the
    /// slowest speech codec (AMR, 594 bytes per second).
    package var leastBytes: Int { 128 * Int(leastTime.components.seconds) }
    /// The period for ``leastBytes``, from the start of the reader's wait; ``timeLimit`` applies to a silent
    /// server.
    package var leastTime: Duration { max(.seconds(30), timeLimit) }
    /// The longest wait for a response before the request is repeated.
    package var answerLimit = Duration.seconds(10)
    /// The longest silence on a connection without back-pressure before a new connection replaces it.
    package var stallLimit = Duration.seconds(5)
    /// The time after which a connection without a reader is closed.
    package var idleLimit = Duration.seconds(20)
    /// The delay before the second retry; the first retry is immediate, each later delay doubles.
    package var firstBackOff = Duration.milliseconds(250)
    /// The longest delay between retries.
    package var longestBackOff = Duration.seconds(4)

    /// Creates the default limits.
    package init() {}

    /// Bytes of one read from the socket. libcurl decompresses a whole read before back-pressure takes
    /// effect, and a read may decompress to a thousand times its length.
    static let readBytes = 8 << 10
    /// The most framing bytes (chunk headers, redirect pages) of one response beyond twice its body: a server
    /// that sends three bytes at a time adds five around them.
    static let framingBytes = 1 << 20
    /// The longest time for a text such as a playlist: 1 MiB arrives within it at 70 kbit/s.
    package static let textTime = Duration.seconds(120)
    /// The most redirects to follow.
    static let redirects = 10
    /// The number of premature ends at one offset after which the declared length counts as wrong.
    static let cutsAtOnePlace = 3
    /// Bytes (a second of a usual station), or else the time, after which a connection counts as good: the
    /// next retry after it is immediate.
    static let goodBytes = 16 << 10
    static let goodTime = Duration.seconds(1)
    /// Consecutive connections of a station that did not count as good, after which Tutti gives up.
    static let poorConnections = 8
}
