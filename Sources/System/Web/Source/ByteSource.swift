/// The bytes of one address for one reader at a time, from a server or from the program.
///
/// Opening and reading block, so call them on a thread that may block. All other members are non-blocking and
/// thread-safe.
package protocol ByteSource: AnyObject, Sendable {
    /// Blocks until the facts about the resource are known.
    func open() throws(WebError) -> WebResource

    /// Blocks until at least one byte is available, and copies the available bytes.
    ///
    /// - Returns: The number of bytes; 0 at the end.
    /// - Throws: ``WebError/timedOut(_:)``, after which the reader may retry; other errors are final.
    func read(into target: UnsafeMutableRawBufferPointer) throws(WebError) -> Int

    /// Moves the reader; the next read requests the bytes if they are not cached.
    func seek(to offset: Int64)

    /// Sets the number of bytes kept behind the reader.
    func keep(_ byteCount: Int)

    /// Sets the longest wait of a read without a single byte.
    func setTimeLimit(_ limit: Duration)

    /// Ends every current and future wait.
    func cancel()

    /// Whether a read waits for a writer, for as long as that takes.
    var waitsForWriter: Bool { get }
    /// The facts known so far.
    var resource: WebResource { get }
    /// The offset of the reader's next byte.
    var position: Int64 { get }
    /// The cached byte ranges in ascending order.
    var ranges: [Range<Int64>] { get }

    /// Returns the titles since the last call.
    func takeTitles() -> [StreamTitle]
    /// Returns the warnings since the last call.
    func takeWarnings() -> [WebWarning]
}

extension ByteSource {
    /// Does nothing: a program's own source keeps the time limit set by the program.
    package func setTimeLimit(_ limit: Duration) {}

    /// A server must not let its reader wait.
    package var waitsForWriter: Bool { false }
}

extension WebSource: ByteSource {}

/// A closure that makes the source of a non-web address; returns `nil` if nobody provides the address.
package typealias ByteSourceMaking = @Sendable (_ address: String) -> (any ByteSource)?
