import AirPlayMessages
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP

/// Turns the bytes of a buffered stream's connection into packets, never more than there is room for.
///
/// Not thread-safe. Holds back the bytes that do not fit. The driver must then stop reading until there is
/// room, so that at most one socket read is held back.
struct BufferedIntake: ~Copyable, Sendable {
    enum Step: Equatable, Sendable {
        case packet(ReceivedPacket)
        /// Bytes of buffer that the next packet needs.
        case needsRoom(Int)
        case needsBytes
        /// The stream has permanently lost its packet boundaries; close the connection.
        case broken(RTPError)
    }

    /// Counts of packets that could not be used.
    struct Counts: Hashable, Sendable {
        /// Packets with a wrong tag or header.
        var unreadable = 0
        /// Packets in an unknown format.
        var unknownFormat = 0
    }

    private(set) var counts = Counts()
    /// The number after the last packet read; `nil` before the first.
    private(set) var nextSequenceNumber: UInt32?
    private var parser = BufferedStreamParser()
    private var opener: BufferedPacketOpener
    private let fallback: AudioWireFormat?
    /// The last number of a stream with 16-bit numbers, extended to 23 bits.
    private var lastExtended: UInt32?

    /// - Parameter fallback: The format of packets that do not name one, from the stream's SETUP.
    init(key: SymmetricKey, fallback: AudioWireFormat?) throws(CryptographyError) {
        opener = try BufferedPacketOpener(key: key)
        self.fallback = fallback
    }

    /// Continues the stream on a new connection; drops the partial packet of the old one.
    mutating func beginConnection() { parser = BufferedStreamParser() }

    mutating func append(_ bytes: [UInt8]) { parser.append(bytes) }

    /// Returns the next packet if it fits.
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

    /// Converts a flush of a stream with 16-bit numbers to the extended numbers of the delivered packets.
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

    /// Returns the number with these low 16 bits that is nearest to `other`, modulo 2²³.
    private static func extend(_ number: UInt32, near other: UInt32) -> UInt32 {
        let distance = Int16(truncatingIfNeeded: Int32(bitPattern: number &- other))
        return SequenceNumber(truncating: other).advanced(by: Int(distance)).rawValue
    }
}
