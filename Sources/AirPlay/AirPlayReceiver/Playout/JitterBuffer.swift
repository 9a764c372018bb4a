import TuttiMediaTime

/// A packet with an unwrapped sequence number and position.
struct StoredPacket: Sendable {
    var sequence: Int64
    /// RTP time of the first frame, extended.
    var position: Int64
    /// Frames according to the format; the decoded number may differ.
    var frameCount: Int
    var packet: ReceivedPacket

    var end: Int64 { position + Int64(frameCount) }
    var sampleRate: SampleRate { packet.format.sampleRate }
}

/// The encoded packets of a stream, ordered by sequence number.
///
/// Keeps played packets for a while, without counting them, for a playhead that goes back to the position
/// heard at a pause. A plain array with a moving head: appends are common, inserts rare.
struct JitterBuffer: Sendable {
    /// Limit against millions of tiny packets: 300 s of the shortest packets at 48 kHz are 41,000.
    static let packetLimit = 1 << 17
    /// Most bytes of played packets to keep.
    static let playedByteLimit = 1 << 19

    /// Most packets that may follow a late one: seconds of audio. A sender that counts backwards would
    /// otherwise move thousands of packets for each insert.
    static let lateLimit = 1024

    private var packets: [StoredPacket] = []
    private var head = 0
    /// Number of played packets from `head` on.
    private var playedCount = 0
    private var playedBytes = 0
    /// Bytes of packets that have not been played.
    private(set) var heldBytes = 0

    var count: Int { packets.count - head }
    var isEmpty: Bool { count == 0 }
    var last: StoredPacket? { isEmpty ? nil : packets[packets.count - 1] }
    /// The last packet that was played.
    var lastPlayed: StoredPacket? { playedCount > 0 ? packets[head + playedCount - 1] : nil }

    var firstUnplayed: StoredPacket? { playedCount < count ? self[playedCount] : nil }

    subscript(index: Int) -> StoredPacket { packets[head + index] }

    /// Returns the index of the first packet whose number is `sequence` or above; ``count`` if there is none.
    func index(from sequence: Int64) -> Int {
        guard let last, last.sequence >= sequence else { return count }
        var (low, high) = (head, packets.count)
        while low < high {
            let middle = (low + high) / 2
            if packets[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low - head
    }

    /// Returns the index of the packet that holds this position, or of the first after it; ``count`` if there
    /// is none.
    func index(atPosition position: Int64) -> Int {
        // A linear search: positions are not sorted if a sender jumped without a flush.
        packets[head...].firstIndex { $0.end > position }.map { $0 - head } ?? count
    }

    /// - Returns: `false` if the number is a duplicate, a played packet follows, or more than ``lateLimit``
    ///   packets do.
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

    /// Removes leading packets that end at or before a position.
    mutating func remove(endingBy position: Int64) {
        var index = 0
        while index < count, self[index].end <= position { index += 1 }
        remove(0..<index)
    }

    /// Marks packets before `sequence` as played, and drops played packets that end at or before `oldest`.
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
