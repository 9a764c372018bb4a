internal import MediaTime

/// A packet with numbers that do not wrap.
struct StoredPacket: Sendable {
    var sequence: Int64
    /// RTP time of the first frame, extended.
    var position: Int64
    /// By what its form says; what is decoded may differ.
    var frameCount: Int
    var packet: ReceivedPacket

    var end: Int64 { position + Int64(frameCount) }
    var sampleRate: SampleRate { packet.format.sampleRate }
}

/// The encoded packets of a stream, in order of their sequence numbers.
///
/// Those that were played stay a little while, for a playhead that goes back to where a pause was heard; they no longer
/// count. A plain array with a moving head: appending is what happens, inserting is rare.
struct PacketStore: Sendable {
    /// Guards against millions of tiny packets: 300 s of the shortest packets at 48 kHz are 41,000.
    static let packetLimit = 1 << 17
    /// Most bytes of played packets that are kept.
    static let playedByteLimit = 1 << 19

    /// How many packets behind the last one a late one may belong: seconds of sound. Further back each would move
    /// thousands of others, which a sender that counts backwards makes of every packet.
    static let lateLimit = 1024

    private var packets: [StoredPacket] = []
    private var head = 0
    /// Of the packets from `head` on, how many were played.
    private var playedCount = 0
    private var playedBytes = 0
    /// Bytes of what was not played yet.
    private(set) var heldBytes = 0

    var count: Int { packets.count - head }
    var isEmpty: Bool { count == 0 }
    var last: StoredPacket? { isEmpty ? nil : packets[packets.count - 1] }
    /// The latest packet that was played.
    var lastPlayed: StoredPacket? { playedCount > 0 ? packets[head + playedCount - 1] : nil }

    var firstUnplayed: StoredPacket? { playedCount < count ? self[playedCount] : nil }

    subscript(index: Int) -> StoredPacket { packets[head + index] }

    /// Of the first packet whose number is not below `sequence`; ``count`` when there is none.
    func index(from sequence: Int64) -> Int {
        guard let last, last.sequence >= sequence else { return count }
        var (low, high) = (head, packets.count)
        while low < high {
            let middle = (low + high) / 2
            if packets[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low - head
    }

    /// Of the packet that holds this position, or of the first behind it.
    func index(atPosition position: Int64) -> Int {
        // Positions need not be in order where a sender jumped without a flush, so each is looked at.
        packets[head...].firstIndex { $0.end > position }.map { $0 - head } ?? count
    }

    /// - Returns: `false` when there is one of this number, one that was played lies behind it, or more than
    ///   ``lateLimit`` others do.
    mutating func insert(_ packet: StoredPacket) -> Bool {
        let index = index(from: packet.sequence)
        if index < playedCount || count - index > Self.lateLimit { return false }
        if index == count {
            packets.append(packet)
        } else {
            if self[index].sequence == packet.sequence { return false }
            packets.insert(packet, at: head + index)
        }
        heldBytes += packet.packet.byteCount
        return true
    }

    mutating func remove(sequences: Range<Int64>) {
        let (first, end) = (index(from: sequences.lowerBound), index(from: sequences.upperBound))
        remove(first..<end)
    }

    /// Removes the first packets, as long as they end at or before a position.
    mutating func remove(endingBy position: Int64) {
        var index = 0
        while index < count, self[index].end <= position { index += 1 }
        remove(0..<index)
    }

    /// From now on these count no longer, and go when they are older than `oldest`.
    mutating func markPlayed(before sequence: Int64, keepingFrom oldest: Int64) {
        while playedCount < count, self[playedCount].sequence < sequence {
            let bytes = self[playedCount].packet.byteCount
            heldBytes -= bytes
            playedBytes += bytes
            playedCount += 1
        }
        while playedCount > 0, self[0].end <= oldest || playedBytes > Self.playedByteLimit { dropFirst() }
    }

    private mutating func dropFirst() {
        playedBytes -= self[0].packet.byteCount
        playedCount -= 1
        packets[head].packet.payload = []
        head += 1
        if head >= 4096, head >= packets.count / 2 { tidy() }
    }

    private mutating func remove(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        for index in range {
            let bytes = self[index].packet.byteCount
            if index < playedCount { playedBytes -= bytes } else { heldBytes -= bytes }
        }
        playedCount -= max(0, min(range.upperBound, playedCount) - range.lowerBound)
        packets.removeSubrange(head + range.lowerBound..<head + range.upperBound)
        if isEmpty { tidy() }
    }

    private mutating func tidy() {
        packets.removeFirst(head)
        head = 0
    }
}
