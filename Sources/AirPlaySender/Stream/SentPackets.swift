import RTP

/// What one speaker has been sent and has not played yet.
///
/// Answers three questions: how many bytes the speaker holds, which sequence number a frame has, and
/// how far ahead the speaker is filled.
struct SentPackets {
    struct Entry: Equatable {
        let frame: Int64
        let frameCount: Int32
        let sequence: SequenceNumber
        /// Bytes on the wire: frame length, header, payload, tag and nonce.
        let byteCount: Int32

        var endFrame: Int64 { frame + Int64(frameCount) }
    }

    private var entries = IndexedQueue<Entry>()
    /// Bytes that a deferred flush has made useless, but that lie in the speaker until it reads them.
    private var ghosts: [(until: Int64, bytes: Int)] = []
    /// Bytes the speaker holds.
    private(set) var byteCount = 0

    /// End of the last packet sent.
    var endFrame: Int64? { entries.last?.endFrame }
    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        byteCount += Int(entry.byteCount)
    }

    /// Forgets what ended at or before `frame`.
    mutating func played(to frame: Int64) {
        var count = 0
        while count < entries.count, entries[count].endFrame <= frame {
            byteCount -= Int(entries[count].byteCount)
            count += 1
        }
        entries.removeFirst(count)
        // In no order: a later withdrawal may begin earlier. There are as many as pending flushes, a few.
        for ghost in ghosts where ghost.until <= frame { byteCount -= ghost.bytes }
        ghosts.removeAll { $0.until <= frame }
    }

    /// The first sent packet that ends after `frame`.
    func first(endingAfter frame: Int64) -> Entry? {
        let position = entries.partitionPoint { $0.endFrame <= frame }
        return position < entries.count ? entries[position] : nil
    }

    /// Takes back the packets from `entry` on: the speaker skips them when its reader comes there.
    mutating func withdraw(from entry: Entry) {
        let position = entries.partitionPoint { $0.sequence.isBefore(entry.sequence) }
        var bytes = 0
        for index in position..<entries.count { bytes += Int(entries[index].byteCount) }
        entries.truncate(to: position)
        if bytes > 0 { ghosts.append((until: entry.frame, bytes: bytes)) }
    }

    /// Takes back the packets from this number on, which the speaker has not got.
    ///
    /// - Returns: The first of them.
    mutating func takeBack(from sequence: SequenceNumber) -> Entry? {
        let position = entries.partitionPoint { $0.sequence.isBefore(sequence) }
        guard position < entries.count else { return nil }
        let first = entries[position]
        for index in position..<entries.count { byteCount -= Int(entries[index].byteCount) }
        entries.truncate(to: position)
        return first
    }

    mutating func removeAll() {
        entries.removeAll()
        ghosts.removeAll()
        byteCount = 0
    }

    /// Payload and framing bytes still to be played after `frame`, without those withdrawn.
    func frameAfterReleasing(bytes wanted: Int) -> Int64? {
        var released = 0
        for index in 0..<entries.count {
            released += Int(entries[index].byteCount)
            if released >= wanted { return entries[index].endFrame }
        }
        return entries.last?.endFrame
    }
}
