/// How much is held, and how long is waited, for one source.
public struct WebLimits: Hashable, Sendable {
    /// Bytes that are fetched ahead of the reader. The place it looked at before may hold as many again.
    public var windowBytes = 8 << 20
    /// Bytes that stay at hand behind the reader.
    public var keptBytes = 256 << 10
    /// A jump onward by no more than this beyond what is at hand reads on instead of asking anew.
    public var shortJumpBytes = 256 << 10
    /// A jump asks for so many bytes before its place as well: whoever looks for something in a file goes on in
    /// small steps back.
    public var leadBytes = 32 << 10
    /// From servers that give only the whole: how much of it is thrown away to come to a place.
    public var skippedBytes = 64 << 20
    /// Without a single byte for so long, a waiting read fails.
    public var timeLimit = Duration.seconds(15)
    /// A waiting read fails when less than this comes in ``leastTime``: 128 bytes a second, a fifth of the slowest speech
    /// codec (AMR, 594 bytes a second).
    public var leastBytes: Int { 128 * Int(leastTime.components.seconds) }
    /// So long the bytes are counted from when the reader begins to wait; a silent server is judged by ``timeLimit``.
    public var leastTime: Duration { max(.seconds(30), timeLimit) }
    /// A server that was asked and does not answer for so long is asked again.
    public var answerLimit = Duration.seconds(10)
    /// A connection on which nothing comes for so long, though there is room, is given up for a new one.
    public var stallLimit = Duration.seconds(5)
    /// A connection that nobody reads from is closed after this.
    public var idleLimit = Duration.seconds(20)
    /// Wait before the second attempt to go on; the first is made at once, each later one waits twice as long.
    public var firstBackOff = Duration.milliseconds(250)
    public var longestBackOff = Duration.seconds(4)

    public init() {}

    /// Bytes of one read from the socket. The library unpacks all of a compressed read before the transfer can be made
    /// to wait, and a read may unpack to a thousand times its length.
    static let readBytes = 8 << 10
    /// Bytes around its body (the words of chunks, the pages of redirects) that one answer may have beyond twice the body:
    /// a server that sends three bytes at a time has five around them.
    static let framingBytes = 1 << 20
    /// A text such as a playlist takes no longer than this: a MiB comes in that time at 70 kbit/s.
    package static let textTime = Duration.seconds(120)
    /// Redirects that are followed.
    static let redirects = 10
    /// Attempts at the same place after which a server's promise of more is not believed any more.
    static let cutsAtOnePlace = 3
    /// A connection that brought so much (a second of a usual station), or lasted so long, was a good one: the next attempt
    /// after it is made at once.
    static let goodBytes = 16 << 10
    static let goodTime = Duration.seconds(1)
    /// Connections of a station, one after the other, none of which was a good one, after which it is given up.
    static let poorConnections = 8
}
