import Cryptography
import Wire

/// A packet of a buffered stream, decrypted.
public struct BufferedPacket: Hashable, Sendable {
    public var header: BufferedPacketHeader
    /// One encoded packet of sound.
    public var payload: [UInt8]

    public init(header: BufferedPacketHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }
}

/// Reads the packets of one buffered stream. One thread at a time.
public struct BufferedPacketOpener: ~Copyable, Sendable {
    private var cipher: ChaChaPolyCipher

    /// - Parameter key: `shk` of the stream.
    public init(key: SymmetricKey) throws(CryptographyError) {
        cipher = try ChaChaPolyCipher(key: key)
    }

    /// Checks and decrypts one packet.
    ///
    /// - Parameter packet: Without its length, as ``BufferedStreamParser`` gives it.
    /// - Throws: ``RTPError/authenticationFailed`` when any byte behind the sequence number is not
    ///   the sender's. The opener stays usable.
    public mutating func open(_ packet: ArraySlice<UInt8>) throws(RTPError) -> BufferedPacket {
        typealias Layout = BufferedPacketLayout
        guard packet.count >= Layout.overhead - Layout.lengthByteCount else {
            throw .packetTooShort(byteCount: packet.count)
        }
        let header = try Self.header(of: packet)
        let start = packet.startIndex
        let authenticated =
            packet[
                start + Layout.authenticatedRange.lowerBound..<start + Layout.authenticatedRange.upperBound]
        let sealed = packet.dropFirst(BufferedPacketHeader.byteCount).dropLast(Layout.nonceByteCount)
        var payload: [UInt8] = []
        do {
            let nonce = try ChaChaPolyNonce(trailing: packet.suffix(Layout.nonceByteCount))
            try cipher.open(sealed, nonce: nonce, authenticating: authenticated, appendingTo: &payload)
        } catch .authenticationFailed {
            throw .authenticationFailed
        } catch {
            throw .cipherFailed(error)
        }
        return BufferedPacket(header: header, payload: payload)
    }

    /// The header without decrypting, for a packet that may be dropped unread.
    public static func header(of packet: ArraySlice<UInt8>) throws(RTPError) -> BufferedPacketHeader {
        var reader = ByteReader(packet)
        do {
            return try BufferedPacketHeader(parsing: &reader)
        } catch {
            throw .malformedHeader(error)
        }
    }
}
