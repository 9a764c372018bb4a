import TuttiWire

/// Splits the bytes of a buffered stream's TCP connection into packets, whatever the chunk boundaries.
///
/// Runs in linear time. After an error, every call throws the same error: without a trusted length, the next
/// packet cannot be found.
package struct BufferedStreamParser: Sendable {
    private var buffer = IndexedQueue<UInt8>(compaction: .onAppend)
    private var failure: RTPError?

    /// Creates an empty parser.
    package init() {}

    /// Bytes that do not form a complete packet yet.
    package var pendingByteCount: Int { buffer.count }

    /// Appends bytes from the socket; drops them after an error.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        guard failure == nil else { return }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the bytes on the wire of the next packet, length field included; `nil` if the packet is
    /// incomplete.
    ///
    /// - Throws: ``RTPError/impossibleFrameLength(_:)``
    package mutating func nextByteCount() throws(RTPError) -> Int? {
        if let failure { throw failure }
        typealias Layout = BufferedPacketLayout
        guard pendingByteCount >= Layout.lengthByteCount else { return nil }
        let length = Int(buffer[0]) << 8 | Int(buffer[1])
        guard (Layout.overhead...Layout.packetByteLimit + Layout.lengthByteCount).contains(length) else {
            failure = .impossibleFrameLength(length)
            buffer.removeAll(keepingCapacity: false)
            throw .impossibleFrameLength(length)
        }
        return pendingByteCount >= length ? length : nil
    }

    /// Returns the next packet without its length field, or `nil` if the packet is incomplete.
    ///
    /// The slice shares the parser's memory: release it before the next append, or the parser copies its
    /// whole buffer.
    /// - Throws: ``RTPError/impossibleFrameLength(_:)``
    package mutating func nextSlice() throws(RTPError) -> ArraySlice<UInt8>? {
        guard let length = try nextByteCount() else { return nil }
        defer { buffer.removeFirst(length) }
        return buffer[BufferedPacketLayout.lengthByteCount..<length]
    }

    /// Returns the next packet like ``nextSlice()``, as an array of its own.
    package mutating func nextPacket() throws(RTPError) -> [UInt8]? { try nextSlice().map(Array.init) }
}
