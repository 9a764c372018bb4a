/// The lines of a client, out of its bytes. A value.
struct RequestReader: Sendable {
    /// A client that sends something else than lines of the protocol.
    struct Overlong: Error {}

    /// The most bytes of a line: the longest path with a command around it is shorter.
    static let lineLimit = 4096

    private var bytes: [UInt8] = []
    /// The place of the first byte that no line was made of yet.
    private var start = 0
    /// The place up to which there is no end of a line.
    private var searched = 0

    /// Takes bytes, cut anywhere.
    mutating func append(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes += more
    }

    /// Returns the next whole line without its end; `nil` if more bytes are needed.
    ///
    /// - Throws: If the line is longer than allowed.
    mutating func next() throws(Overlong) -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
            searched = bytes.count
            guard bytes.count - start <= Self.lineLimit else { throw Overlong() }
            return nil
        }
        guard end - start <= Self.lineLimit else { throw Overlong() }
        var line = bytes[start..<end]
        if line.last == 0x0D { line.removeLast() }
        (start, searched) = (end + 1, end + 1)
        return Array(line)
    }
}
