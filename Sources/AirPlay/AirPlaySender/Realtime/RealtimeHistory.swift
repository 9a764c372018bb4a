/// The last packets sent, byte for byte, for a receiver that asks for one again.
///
/// Memory is taken once; a packet is written in place and sent from there.
struct RealtimeHistory: ~Copyable, Sendable {
    /// The number of packets kept: 4 s of the usual format.
    static let capacity = 512
    /// Room in front of a packet for the head of a resent one.
    static let headByteCount = 4

    private struct Slot {
        var sequence: UInt16 = 0
        var byteCount = 0
    }

    // Safe to send: only this value has the memory.
    nonisolated(unsafe) private let memory: UnsafeMutableRawBufferPointer
    private let slotByteCount: Int
    private var slots = [Slot](repeating: Slot(), count: RealtimeHistory.capacity)

    /// - Parameter longestPacket: The bytes of the longest packet.
    init(longestPacket: Int) {
        slotByteCount = (Self.headByteCount + longestPacket + 7) & ~7
        memory = .allocate(byteCount: slotByteCount * Self.capacity, alignment: 8)
    }

    deinit { memory.deallocate() }

    /// Writes the packet with this number; returns the bytes.
    ///
    /// - Parameter write: Writes the packet and returns its size; 0 if there is none.
    mutating func write(
        _ sequence: UInt16, _ write: (UnsafeMutableRawBufferPointer) -> Int
    ) -> UnsafeRawBufferPointer {
        let index = Int(sequence) % Self.capacity
        let room = slot(index)
        let byteCount = write(UnsafeMutableRawBufferPointer(rebasing: room[Self.headByteCount...]))
        slots[index] = Slot(sequence: sequence, byteCount: byteCount)
        let end = Self.headByteCount + byteCount
        return UnsafeRawBufferPointer(rebasing: room[Self.headByteCount..<end])
    }

    /// Returns a packet that was sent; `nil` if it is not kept.
    func packet(_ sequence: UInt16) -> UnsafeRawBufferPointer? {
        resent(sequence).map { UnsafeRawBufferPointer(rebasing: $0[Self.headByteCount...]) }
    }

    /// Returns a packet that was sent, behind the 4 bytes `80 D6 0001` of a resent one; `nil` if it is not kept.
    func resent(_ sequence: UInt16) -> UnsafeRawBufferPointer? {
        let index = Int(sequence) % Self.capacity
        let entry = slots[index]
        guard entry.byteCount > 0, entry.sequence == sequence else { return nil }
        let room = slot(index)
        room.storeBytes(of: UInt32(0x80D6_0001).bigEndian, as: UInt32.self)
        return UnsafeRawBufferPointer(rebasing: room[..<(Self.headByteCount + entry.byteCount)])
    }

    /// Forgets all packets, after a flush.
    mutating func removeAll() { for index in slots.indices { slots[index].byteCount = 0 } }

    private func slot(_ index: Int) -> UnsafeMutableRawBufferPointer {
        let start = index * slotByteCount
        return UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + slotByteCount])
    }
}
