import TuttiRTP
import TuttiWire

/// The packets sent to one speaker and not played yet.
///
/// Tells how many bytes the speaker holds, the sequence number of a frame, and how far ahead the speaker is filled.
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
    /// Bytes that a deferred flush has made useless, but that the speaker holds until it reads them.
    private var ghosts: [(until: Int64, bytes: Int)] = []
    /// Bytes that the speaker holds.
    private(set) var byteCount = 0

    /// The end of the last packet sent.
    var endFrame: Int64? { entries.last?.endFrame }
    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        byteCount += Int(entry.byteCount)
    }

    /// Evicts packets that ended at or before `frame`.
    mutating func played(to frame: Int64) {
        var count = 0
        while count < entries.count, entries[count].endFrame <= frame {
            byteCount -= Int(entries[count].byteCount)
            count += 1
        }
        entries.removeFirst(count)
        // Not sorted: a later withdrawal may begin earlier. There are only as many as pending flushes, a few.
        for ghost in ghosts where ghost.until <= frame { byteCount -= ghost.bytes }
        ghosts.removeAll { $0.until <= frame }
    }

    /// Returns the first sent packet that ends after `frame`.
    func first(endingAfter frame: Int64) -> Entry? {
        let position = entries.partitionPoint { $0.endFrame <= frame }
        return position < entries.count ? entries[position] : nil
    }

    /// Withdraws the packets from `entry` on: the speaker skips them when its reader reaches them.
    ///
    /// - Parameter lead: The frames before the entry is heard at which the reader reaches it.
    mutating func withdraw(from entry: Entry, lead: Int64 = 0) {
        let position = entries.partitionPoint { $0.sequence.isBefore(entry.sequence) }
        var bytes = 0
        for index in position..<entries.count { bytes += Int(entries[index].byteCount) }
        entries.truncate(to: position)
        if bytes > 0 { ghosts.append((until: entry.frame - lead, bytes: bytes)) }
    }

    /// Removes the packets from this number on, which the speaker has not received.
    ///
    /// - Returns: The first packet removed; `nil` when there is none.
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

    /// Returns the frame at which the speaker has released at least `wanted` bytes, or skips what was withdrawn.
    func frameAfterReleasing(bytes wanted: Int) -> Int64? {
        let skip = ghosts.map(\.until).min()
        guard let played = frameAfterPlaying(bytes: wanted) else { return skip }
        return min(played, skip ?? played)
    }

    private func frameAfterPlaying(bytes wanted: Int) -> Int64? {
        var released = 0
        for index in 0..<entries.count {
            released += Int(entries[index].byteCount)
            if released >= wanted { return entries[index].endFrame }
        }
        return entries.last?.endFrame
    }
}
