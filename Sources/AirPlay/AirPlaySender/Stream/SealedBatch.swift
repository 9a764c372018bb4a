import TuttiSystemIO

/// A batch of sealed packets for the kernel, written with one system call, or several if the connection takes less.
struct SealedBatch: ~Copyable {
    /// The target size of a batch, bytes.
    static let byteLimit = 32 * 1024
    /// The largest packet with framing, bytes: 8 KiB of payload is more than any encoder produces.
    static let largestPacket = 16 * 1024

    private let bytes: UnsafeMutableRawBufferPointer
    private var offset = 0
    /// Bytes that the kernel has not taken yet.
    private(set) var byteCount = 0

    init() { bytes = .allocate(byteCount: Self.byteLimit + Self.largestPacket, alignment: 16) }

    deinit { bytes.deallocate() }

    /// The free space for the next packet. Valid until bytes of the batch are written.
    var room: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: bytes[(offset + byteCount)...])
    }

    /// Begins a new batch.
    mutating func removeAll() { (offset, byteCount) = (0, 0) }

    /// Appends a packet of `count` bytes that was sealed into ``room``.
    mutating func append(_ count: Int) { byteCount += count }

    /// Writes as much as the kernel takes; returns whether it took everything.
    mutating func write(to connection: TCPConnection) -> Bool {
        let count = connection.write(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + byteCount]))
        offset += count
        byteCount -= count
        return byteCount == 0
    }
}
