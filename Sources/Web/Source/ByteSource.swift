/// The bytes of one address for one reader at a time: a server's, or a program's own.
///
/// Reading and opening may wait, so they belong on a thread that may. Everything else is for any thread, and does not wait.
package protocol ByteSource: AnyObject, Sendable {
    /// Waits until it is known what the address gives.
    func open() throws(WebError) -> WebResource

    /// Waits for bytes and copies what is there, at least one.
    ///
    /// - Returns: the count; 0 at the end.
    /// - Throws: After ``WebError/timedOut(_:)`` the reader may ask again; other errors stay.
    func read(into target: UnsafeMutableRawBufferPointer) throws(WebError) -> Int

    /// Goes to a place; the next read asks for it if it is not at hand.
    func seek(to offset: Int64)

    /// Sets the count of bytes that stay at hand behind the reader.
    func keep(_ byteCount: Int)

    /// Sets how long a read waits without a single byte.
    func setTimeLimit(_ limit: Duration)

    /// Ends every wait, running or to come.
    func cancel()

    /// The facts known so far.
    var resource: WebResource { get }
    /// The next byte that is read.
    var position: Int64 { get }
    /// Bytes at hand, in the order of the source.
    var ranges: [Range<Int64>] { get }
    /// Bytes between the reader and the end of what is at hand.
    var bytesAhead: Int { get }

    /// Returns the titles that came since the last call.
    func takeTitles() -> [StreamTitle]
    /// Returns what was odd since the last call.
    func takeWarnings() -> [WebWarning]
}

extension ByteSource {
    /// A program's own source has the limit that the program gave it.
    package func setTimeLimit(_ limit: Duration) {}
}

extension WebSource: ByteSource {}

/// Makes the source of an address that is not of the web; `nil` where nobody provides it.
package typealias ByteSourceMaking = @Sendable (_ address: String) -> (any ByteSource)?
