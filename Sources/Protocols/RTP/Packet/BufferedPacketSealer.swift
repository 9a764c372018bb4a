import TuttiCryptography
import TuttiMediaTime

/// The layout constants of a packet on a buffered stream.
///
/// Layout: 2 bytes length, big-endian, including itself; 12 bytes header; ciphertext; 16 bytes tag; 8 bytes
/// nonce, little-endian.
package enum BufferedPacketLayout {
    /// Bytes of the length field.
    package static let lengthByteCount = 2
    /// Bytes of the nonce field.
    package static let nonceByteCount = ChaChaPolyNonce.trailingByteCount
    /// Bytes of a packet besides its payload, length field included: 38.
    package static let overhead =
        lengthByteCount + BufferedPacketHeader.byteCount + ChaChaPolyCipher.tagByteCount + nonceByteCount
    /// Most bytes of a packet without its length field. shairport-sync reads a packet into 16 KiB unchecked
    /// (*observed*), so the sealer never exceeds that.
    package static let packetByteLimit = 16 << 10
    /// Most bytes of a payload.
    package static let payloadByteLimit = packetByteLimit - (overhead - lengthByteCount)
    /// The part of the header that the tag protects: RTP time and SSRC.
    static let authenticatedRange = 4..<BufferedPacketHeader.byteCount
}

/// Encrypts the packets of one buffered stream.
///
/// ChaCha20-Poly1305 with the stream's key. The nonce counts packets from 0 and never goes back, whatever the
/// sequence numbers do. Allocates only in `init`. Not thread-safe.
package struct BufferedPacketSealer: ~Copyable, Sendable {
    /// The header style of the stream.
    package let style: BufferedPacketHeader.Style
    private var cipher: ChaChaPolyCipher
    private var counter: UInt64 = 0

    /// - Parameter key: `shk` of the stream; never share it with another sealer, because nonces start at 0.
    package init(key: SymmetricKey, style: BufferedPacketHeader.Style) throws(CryptographyError) {
        self.style = style
        cipher = try ChaChaPolyCipher(key: key)
    }

    /// Number of nonces used: packets sealed, and packets whose encryption failed.
    package var packetCount: UInt64 { counter }

    /// Encrypts and writes one packet, length field included.
    ///
    /// - Parameters:
    ///   - payload: The encoded audio, at most ``BufferedPacketLayout/payloadByteLimit`` bytes. Must not
    ///     overlap `output`.
    ///   - sequence: The sequence number; the classic style writes its low 16 bits.
    ///   - rtpTime: RTP time of the first frame in the payload.
    ///   - formatCode: The SSRC; the classic style does not write it.
    ///   - output: At least `payload.count` + ``BufferedPacketLayout/overhead`` bytes.
    /// - Returns: The number of bytes written to `output`.
    /// - Throws: ``RTPError``; the content of `output` is then undefined. Never uses a nonce twice.
    package mutating func seal(
        payload: UnsafeRawBufferPointer, sequence: SequenceNumber, rtpTime: RTPTime, formatCode: UInt32,
        into output: UnsafeMutableRawBufferPointer
    ) throws(RTPError) -> Int {
        typealias Layout = BufferedPacketLayout
        guard payload.count <= Layout.payloadByteLimit else {
            throw .payloadTooLong(limit: Layout.payloadByteLimit)
        }
        let byteCount = payload.count + Layout.overhead
        guard output.count >= byteCount else {
            throw .outputTooSmall(needed: byteCount, available: output.count)
        }
        let words = header(sequence: sequence, rtpTime: rtpTime, formatCode: formatCode).words
        output.storeBytes(of: UInt16(byteCount).bigEndian, as: UInt16.self)
        output.storeBytes(of: words.numbers.bigEndian, toByteOffset: 2, as: UInt32.self)
        output.storeBytes(of: words.rtpTime.bigEndian, toByteOffset: 6, as: UInt32.self)
        output.storeBytes(of: words.source.bigEndian, toByteOffset: 10, as: UInt32.self)
        output.storeBytes(
            of: counter.littleEndian, toByteOffset: byteCount - Layout.nonceByteCount, as: UInt64.self)
        let nonce = ChaChaPolyNonce(counter: counter)
        counter += 1
        let sealedStart = Layout.lengthByteCount + BufferedPacketHeader.byteCount
        let authenticated = UnsafeRawBufferPointer(rebasing: output[6..<sealedStart])
        let sealed = UnsafeMutableRawBufferPointer(
            rebasing: output[sealedStart..<byteCount - Layout.nonceByteCount])
        do {
            try cipher.seal(payload, nonce: nonce, authenticating: authenticated, into: sealed)
        } catch {
            throw .cipherFailed(error)
        }
        return byteCount
    }

    private func header(
        sequence: SequenceNumber, rtpTime: RTPTime, formatCode: UInt32
    ) -> BufferedPacketHeader {
        switch style {
        case .formatCode23:
            BufferedPacketHeader(numbering: .formatCode23(sequence, formatCode: formatCode), rtpTime: rtpTime)
        case .classicRTP16:
            BufferedPacketHeader(
                numbering: .classicRTP16(
                    UInt16(truncatingIfNeeded: sequence.rawValue), isFirst: counter == 0),
                rtpTime: rtpTime)
        }
    }
}
