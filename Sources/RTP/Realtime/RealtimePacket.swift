import Cryptography
import MediaTime
import Wire

/// A packet of a realtime stream, decrypted.
///
/// Layout, big-endian: `80`; payload type 96, with the marker in the first packet; 16-bit sequence number; RTP
/// time; SSRC, free; then ciphertext, 16 bytes of tag and 8 bytes of nonce.
/// *Observed* as AirPlay 2 senders write it.
public struct RealtimePacket: Hashable, Sendable {
    public var sequenceNumber: UInt16
    /// Of the first frame in the packet.
    public var rtpTime: RTPTime
    /// The first packet after a start or a flush.
    public var isFirst: Bool
    /// One encoded packet of sound.
    public var payload: [UInt8]

    public init(sequenceNumber: UInt16, rtpTime: RTPTime, isFirst: Bool = false, payload: [UInt8]) {
        self.sequenceNumber = sequenceNumber
        self.rtpTime = rtpTime
        self.isFirst = isFirst
        self.payload = payload
    }

    static let headerByteCount = 12
    static let version: UInt8 = 0x80
    static let payloadType: UInt8 = 96
    /// RTP time and SSRC.
    static let authenticatedRange = 4..<12
    /// Header, tag and nonce.
    public static let overhead =
        headerByteCount + ChaChaPolyCipher.tagByteCount + ChaChaPolyNonce.trailingByteCount
}

/// Reads the packets of one realtime stream. One thread at a time.
public struct RealtimePacketOpener: ~Copyable, Sendable {
    private var cipher: ChaChaPolyCipher

    /// - Parameter key: `shk` of the stream.
    public init(key: SymmetricKey) throws(CryptographyError) { cipher = try ChaChaPolyCipher(key: key) }

    /// Checks and decrypts one datagram.
    ///
    /// The sequence number is not protected by the tag; a wrong one can only put the packet in a wrong place.
    public mutating func open(_ datagram: ArraySlice<UInt8>) throws(RTPError) -> RealtimePacket {
        typealias Layout = RealtimePacket
        guard datagram.count >= Layout.overhead else { throw .packetTooShort(byteCount: datagram.count) }
        var reader = ByteReader(datagram)
        let (kind, number, time): (UInt8, UInt16, UInt32)
        do throws(WireError) {
            let version = try reader.byte(field: "version")
            guard version == Layout.version else {
                throw WireError.unexpected(field: "version", value: UInt64(version))
            }
            kind = try reader.byte(field: "payload type")
            guard kind & 0x7F == Layout.payloadType else {
                throw WireError.unexpected(field: "payload type", value: UInt64(kind))
            }
            number = try reader.integer(UInt16.self, field: "sequence number")
            time = try reader.integer(UInt32.self, field: "RTP time")
        } catch {
            throw .malformedHeader(error)
        }
        let start = datagram.startIndex
        let clear =
            datagram[
                start + Layout.authenticatedRange.lowerBound..<start + Layout.authenticatedRange.upperBound]
        let sealed = datagram.dropFirst(Layout.headerByteCount)
            .dropLast(ChaChaPolyNonce.trailingByteCount)
        var payload: [UInt8] = []
        do {
            let nonce = try ChaChaPolyNonce(trailing: datagram.suffix(ChaChaPolyNonce.trailingByteCount))
            try cipher.open(sealed, nonce: nonce, authenticating: clear, appendingTo: &payload)
        } catch .authenticationFailed {
            throw .authenticationFailed
        } catch {
            throw .cipherFailed(error)
        }
        return RealtimePacket(
            sequenceNumber: number, rtpTime: RTPTime(rawValue: time), isFirst: kind & 0x80 != 0,
            payload: payload)
    }
}

/// Writes the packets of one realtime stream; the nonce counts packets from 0.
public struct RealtimePacketSealer: ~Copyable, Sendable {
    private var cipher: ChaChaPolyCipher
    private var counter: UInt64 = 0

    public init(key: SymmetricKey) throws(CryptographyError) { cipher = try ChaChaPolyCipher(key: key) }

    public mutating func seal(_ packet: RealtimePacket, source: UInt32 = 0) throws(RTPError) -> [UInt8] {
        var writer = ByteWriter(reserving: packet.payload.count + RealtimePacket.overhead)
        writer.integer(RealtimePacket.version)
        writer.integer(RealtimePacket.payloadType | (packet.isFirst ? 0x80 : 0))
        writer.integer(packet.sequenceNumber)
        writer.integer(packet.rtpTime.rawValue)
        writer.integer(source)
        var bytes = writer.bytes
        let clear = bytes[RealtimePacket.authenticatedRange]
        let nonce = ChaChaPolyNonce(counter: counter)
        counter += 1
        do {
            try cipher.seal(packet.payload[...], nonce: nonce, authenticating: clear, appendingTo: &bytes)
        } catch {
            throw .cipherFailed(error)
        }
        bytes += nonce.trailingBytes
        return bytes
    }
}
