internal import AirPlayMessages
internal import Cryptography
internal import MediaTime
import RTP

/// The bytes of a buffered stream's connection in, packets out, never more than there is room for.
///
/// One thread at a time. What there is no room for stays here; the driver reads nothing more until there is, so
/// that it is at most one read of the socket.
struct BufferedIntake: ~Copyable, Sendable {
    enum Step: Equatable, Sendable {
        case packet(ReceivedPacket)
        /// The next packet takes so many bytes of the buffer.
        case needsRoom(Int)
        case needsBytes
        /// The connection is out of step for good.
        case broken(RTPError)
    }

    /// What could not be used.
    struct Counts: Hashable, Sendable {
        /// Packets whose tag or header is wrong.
        var unreadable = 0
        /// Packets in a form we do not know.
        var unknownFormat = 0
    }

    private(set) var counts = Counts()
    /// Behind the last packet that was read.
    private(set) var nextSequenceNumber: UInt32?
    private var parser = BufferedStreamParser()
    private var opener: BufferedPacketOpener
    private let fallback: AudioWireFormat?
    /// Of a stream with 16-bit numbers: the last one, extended to 23 bits.
    private var lastExtended: UInt32?

    /// - Parameter fallback: What packets are that name no form, from the stream's SETUP.
    init(key: SymmetricKey, fallback: AudioWireFormat?) throws(CryptographyError) {
        opener = try BufferedPacketOpener(key: key)
        self.fallback = fallback
    }

    /// A new connection continues the stream: the piece of a packet that the old one ended with is void.
    mutating func beginConnection() { parser = BufferedStreamParser() }

    mutating func append(_ bytes: [UInt8]) { parser.append(bytes) }

    /// The next packet, if it fits.
    mutating func next(room: Int) -> Step {
        while true {
            let opened: BufferedPacket
            do throws(RTPError) {
                guard let byteCount = try parser.nextByteCount() else { return .needsBytes }
                guard byteCount <= room else { return .needsRoom(byteCount) }
                guard let slice = try parser.nextSlice() else { return .needsBytes }
                do throws(RTPError) {
                    opened = try opener.open(slice)
                } catch {
                    counts.unreadable += 1
                    continue
                }
            } catch {
                return .broken(error)
            }
            if let packet = received(opened) { return .packet(packet) }
            counts.unknownFormat += 1
        }
    }

    /// A flush of a stream with 16-bit numbers, in the numbers of the packets that have been given out.
    func extended(_ flush: FlushBuffered) -> FlushBuffered {
        guard let lastExtended else { return flush }
        var flush = flush
        flush.until.sequenceNumber = Self.extend(flush.until.sequenceNumber, near: lastExtended)
        if var from = flush.from {
            from.sequenceNumber = Self.extend(from.sequenceNumber, near: lastExtended)
            flush.from = from
        }
        return flush
    }

    private mutating func received(_ packet: BufferedPacket) -> ReceivedPacket? {
        let (number, format): (UInt32, AudioWireFormat?)
        switch packet.header.numbering {
        case .formatCode23(let sequence, let code):
            (number, format) = (sequence.rawValue, AudioWireFormat(formatCode: code) ?? fallback)
        case .classicRTP16(let short, _):
            let extended = lastExtended.map { Self.extend(UInt32(short), near: $0) } ?? UInt32(short)
            lastExtended = extended
            (number, format) = (extended, fallback)
        }
        nextSequenceNumber = SequenceNumber(truncating: number).advanced(by: 1).rawValue
        guard let format else { return nil }
        return ReceivedPacket(
            sequenceNumber: number, rtpTime: packet.header.rtpTime, format: format, payload: packet.payload)
    }

    /// The number with these low 16 bits that is nearest to another, modulo 2²³.
    private static func extend(_ number: UInt32, near other: UInt32) -> UInt32 {
        let distance = Int16(truncatingIfNeeded: Int32(bitPattern: number &- other))
        return SequenceNumber(truncating: other).advanced(by: Int(distance)).rawValue
    }
}
