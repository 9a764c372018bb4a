import TuttiCodecs
import TuttiMediaTime

/// Groups a reader's packets into runs of a given length, up to a last frame.
///
/// The packets of a group are contiguous, and only the outer packets have inaudible frames, so a group
/// becomes one sample buffer with a trim at each end. Use from one thread at a time.
struct PacketGroups {
    /// Byte limit of a group, regardless of the packet durations that a file claims.
    private static let byteLimit = 4 << 20

    let reader: MediaReader
    private let frameLimit: Int64
    /// The first frame after the wanted range.
    private let end: Int64
    private var next: EncodedPacket?
    private var isAtEnd = false
    /// An error to throw after the last group.
    private var failure: MediaError?

    /// - Parameters:
    ///   - frames: The wanted range. The reader seeks if it does not begin at 0.
    ///   - seconds: Audible sound in a group.
    ///   - isAnew: Whether the reader has been read from before, and must seek back even to 0.
    init(
        _ reader: MediaReader, frames: Range<Int64>, seconds: Double, isAnew: Bool
    ) throws(MediaError) {
        self.reader = reader
        end = frames.upperBound
        frameLimit = max(1, Int64(seconds * Double(reader.info.sampleRate.hertz)))
        if frames.lowerBound > 0 || isAnew { try reader.seek(toFrame: frames.lowerBound) }
        isAtEnd = frames.isEmpty
    }

    /// Returns the next group; empty at the end. Packets before an error are returned before the error is
    /// thrown.
    mutating func nextGroup() throws(MediaError) -> [EncodedPacket] {
        if let failure = failure.take() { throw failure }
        var group: [EncodedPacket] = []
        var (length, bytes): (Int64, Int) = (0, 0)
        while length < frameLimit, bytes < Self.byteLimit, let packet = try takePacket(after: group) {
            if !Self.continues(group, packet) {
                next = packet
                break
            }
            group.append(packet)
            // Priming packets do not count: a group that only primes the decoder is inaudible and would be
            // dropped.
            length += Int64(max(0, packet.duration - packet.skipAtStart))
            bytes += packet.payload.count
        }
        return group
    }

    private mutating func takePacket(after group: [EncodedPacket]) throws(MediaError) -> EncodedPacket? {
        do throws(MediaError) {
            return try takePacket()
        } catch {
            if group.isEmpty { throw error }
            failure = error
            return nil
        }
    }

    private mutating func takePacket() throws(MediaError) -> EncodedPacket? {
        if let packet = next {
            next = nil
            return packet
        }
        if isAtEnd { return nil }
        guard var packet = try reader.nextPacket(), packet.timestamp < end else {
            isAtEnd = true
            return nil
        }
        if packet.endTimestamp > end {
            let surplus = Int(min(Int64(packet.duration), packet.endTimestamp - end))
            packet.skipAtEnd = max(packet.skipAtEnd, surplus)
        }
        return packet
    }

    private static func continues(_ group: [EncodedPacket], _ packet: EncodedPacket) -> Bool {
        guard let last = group.last else { return true }
        if last.endTimestamp != packet.timestamp || last.duration == 0 { return false }
        if last.skipAtEnd > 0, packet.skipAtEnd < packet.duration { return false }
        let isOpened = group.contains { $0.skipAtStart < $0.duration }
        return !(isOpened && packet.skipAtStart > 0)
    }
}
