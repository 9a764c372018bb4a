import Cryptography
import MediaTime

/// The sizes of a packet on a buffered stream.
///
/// Layout: 2 bytes length, big-endian, themselves included; 12 bytes header; ciphertext; 16 bytes
/// tag; 8 bytes nonce, little-endian.
public enum BufferedPacketLayout {
    public static let lengthByteCount = 2
    public static let nonceByteCount = ChaChaPolyNonce.trailingByteCount
    /// What a packet has beside its payload, the length included: 38 bytes.
    public static let overhead =
        lengthByteCount + BufferedPacketHeader.byteCount + ChaChaPolyCipher.tagByteCount + nonceByteCount
    /// A packet without its length. shairport-sync reads it into 16 KiB unchecked (*observed*), so
    /// more is never sent.
    public static let packetByteLimit = 16 << 10
    public static let payloadByteLimit = packetByteLimit - (overhead - lengthByteCount)
    /// The part of a header that the tag protects: RTP time and SSRC.
    static let authenticatedRange = 4..<BufferedPacketHeader.byteCount
}

/// Writes the packets of one buffered stream.
///
/// ChaCha20-Poly1305 with the stream's key; the nonce counts packets from 0 and never goes back,
/// whatever the sequence numbers do. After `init` nothing is allocated. One thread at a time.
public struct BufferedPacketSealer: ~Copyable, Sendable {
    /// How every header of the stream is written.
    public let style: BufferedPacketHeader.Style
    private var cipher: ChaChaPolyCipher
    private var counter: UInt64 = 0

    /// - Parameter key: `shk` of the stream; not used by another sealer, as nonces start at 0 here.
    public init(key: SymmetricKey, style: BufferedPacketHeader.Style) throws(CryptographyError) {
        self.style = style
        cipher = try ChaChaPolyCipher(key: key)
    }

    /// Packets sealed so far, failed ones included.
    public var packetCount: UInt64 { counter }

    /// Writes one packet, length included.
    ///
    /// - Parameters:
    ///   - payload: One encoded packet of sound, at most ``BufferedPacketLayout/payloadByteLimit``
    ///     bytes. Must not overlap `output`.
    ///   - sequence: In the classic style its low 16 bits are written.
    ///   - rtpTime: Of the first frame in the payload.
    ///   - formatCode: Written as SSRC; in the classic style not at all.
    ///   - output: At least `payload.count` + ``BufferedPacketLayout/overhead`` bytes.
    /// - Returns: How many bytes of `output` were written.
    /// - Throws: ``RTPError``; `output` then holds nothing of use, and no nonce is used twice.
    public mutating func seal(
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
