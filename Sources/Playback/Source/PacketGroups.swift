import Codecs
import MediaTime

/// Takes packets from a reader in groups: about so much sound, up to a last frame.
///
/// The packets of a group follow each other, and only the outer ones have frames that are not heard, so a
/// group is one sample buffer with a trim at its start and one at its end. For one thread at a time.
struct PacketGroups {
    /// A group is closed before it grows beyond this, whatever a file claims of its packets' length.
    private static let byteLimit = 4 << 20

    let reader: MediaReader
    private let frameLimit: Int64
    /// The first frame that is not wanted any more.
    private let end: Int64
    private var next: EncodedPacket?
    private var isAtEnd = false
    /// What went wrong after the last group.
    private var failure: MediaError?

    /// - Parameters:
    ///   - frames: what is wanted. Where it does not begin at 0, the reader goes there.
    ///   - seconds: of sound that is heard in a group.
    ///   - isAnew: Whether the reader has been read from before, and must go back even to 0.
    init(
        _ reader: MediaReader, frames: Range<Int64>, seconds: Double, isAnew: Bool
    ) throws(MediaError) {
        self.reader = reader
        end = frames.upperBound
        frameLimit = max(1, Int64(seconds * Double(reader.info.sampleRate.hertz)))
        if frames.lowerBound > 0 || isAnew { try reader.seek(toFrame: frames.lowerBound) }
        isAtEnd = frames.isEmpty
    }

    /// The next group; empty at the end. What came before an error is given before it.
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
            // A group of nothing but what a decoder needs before a place is not heard, and would be dropped.
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
