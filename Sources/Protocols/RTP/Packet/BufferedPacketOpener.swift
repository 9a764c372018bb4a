import TuttiCryptography
import TuttiWire

/// A decrypted packet of a buffered stream.
package struct BufferedPacket: Hashable, Sendable {
    /// The header.
    package var header: BufferedPacketHeader
    /// The encoded audio.
    package var payload: [UInt8]

    /// Creates a packet from its parts.
    package init(header: BufferedPacketHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }
}

/// Decrypts the packets of one buffered stream. Not thread-safe.
package struct BufferedPacketOpener: ~Copyable, Sendable {
    private var cipher: ChaChaPolyCipher

    /// - Parameter key: `shk` of the stream.
    package init(key: SymmetricKey) throws(CryptographyError) {
        cipher = try ChaChaPolyCipher(key: key)
    }

    /// Authenticates and decrypts one packet.
    ///
    /// - Parameter packet: The packet without its length, as returned by ``BufferedStreamParser``.
    /// - Throws: ``RTPError/authenticationFailed`` if any byte after the sequence number was changed or
    ///   another key was used. The opener stays usable.
    package mutating func open(_ packet: ArraySlice<UInt8>) throws(RTPError) -> BufferedPacket {
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

    /// Reads the header without decrypting, for a packet that may be dropped unread.
    package static func header(of packet: ArraySlice<UInt8>) throws(RTPError) -> BufferedPacketHeader {
        var reader = ByteReader(packet)
        do {
            return try BufferedPacketHeader(parsing: &reader)
        } catch {
            throw .malformedHeader(error)
        }
    }
}
