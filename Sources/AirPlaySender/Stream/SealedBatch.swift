import SystemIO

/// Sealed packets on their way to the kernel: a batch that one system call carries, or several if the connection takes
/// less.
struct SealedBatch: ~Copyable {
    /// Several packets, so that one system call carries them.
    static let byteLimit = 32 * 1024
    /// Largest packet of any format we make, framed: 8 KiB of payload is more than any encoder gives.
    static let largestPacket = 16 * 1024

    private let bytes: UnsafeMutableRawBufferPointer
    private var offset = 0
    /// Bytes that the kernel has not taken yet.
    private(set) var byteCount = 0

    init() { bytes = .allocate(byteCount: Self.byteLimit + Self.largestPacket, alignment: 16) }

    deinit { bytes.deallocate() }

    /// The place of the next packet. Valid until bytes of the batch are written.
    var room: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: bytes[(offset + byteCount)...])
    }

    /// Begins a new batch.
    mutating func removeAll() { (offset, byteCount) = (0, 0) }

    /// Takes in a packet that was sealed into ``room``.
    mutating func append(_ count: Int) { byteCount += count }

    /// Returns whether the kernel took all.
    mutating func write(to connection: TCPConnection) -> Bool {
        let count = connection.write(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + byteCount]))
        offset += count
        byteCount -= count
        return byteCount == 0
    }
}
