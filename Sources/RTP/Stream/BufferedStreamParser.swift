/// Cuts the bytes of a buffered stream's TCP connection into packets, whatever the pieces.
///
/// Work is linear in the bytes. After an error every call throws that error: without a length one
/// can trust, nothing says where the next packet begins.
public struct BufferedStreamParser: Sendable {
    private var buffer: [UInt8] = []
    /// Bytes before it are spent.
    private var start = 0
    private var failure: RTPError?

    public init() {}

    /// Bytes that are no complete packet yet.
    public var pendingByteCount: Int { buffer.count - start }

    /// Adds bytes as the socket gave them; after an error they are dropped.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        guard failure == nil else { return }
        // Moves the rest to the front once the spent part is the larger one, so each byte moves O(1) times.
        if start > 0, start >= buffer.count - start {
            buffer.removeSubrange(..<start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Bytes on the wire of the next packet, its length included; `nil` when it is not complete.
    ///
    /// - Throws: ``RTPError/impossibleFrameLength(_:)``
    public mutating func nextByteCount() throws(RTPError) -> Int? {
        if let failure { throw failure }
        typealias Layout = BufferedPacketLayout
        guard pendingByteCount >= Layout.lengthByteCount else { return nil }
        let length = Int(buffer[start]) << 8 | Int(buffer[start + 1])
        guard (Layout.overhead...Layout.packetByteLimit + Layout.lengthByteCount).contains(length) else {
            failure = .impossibleFrameLength(length)
            buffer = []
            start = 0
            throw .impossibleFrameLength(length)
        }
        return pendingByteCount >= length ? length : nil
    }

    /// The next packet without its length, or `nil` when it is not complete.
    ///
    /// The slice shares the parser's memory: let go of it before more is appended, or all is copied.
    /// - Throws: ``RTPError/impossibleFrameLength(_:)``
    public mutating func nextSlice() throws(RTPError) -> ArraySlice<UInt8>? {
        guard let length = try nextByteCount() else { return nil }
        defer { start += length }
        return buffer[start + BufferedPacketLayout.lengthByteCount..<start + length]
    }

    /// The same as an array of its own.
    public mutating func nextPacket() throws(RTPError) -> [UInt8]? { try nextSlice().map(Array.init) }
}
