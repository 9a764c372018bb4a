import Cryptography
import MediaTime

/// Writes whole framed packets of a buffered stream: numbered, sealed, ready for the socket.
///
/// Layout: total length (16 bit, itself included), 12-byte header, ciphertext, 16-byte tag, the low 8 bytes
/// of the nonce. The nonce is a count of packets that never starts again while the key lives; what is
/// authenticated beside the payload is RTP time and SSRC. Allocates nothing per packet. *Observed*:
/// shairport-sync, golden session.
public struct BufferedPacketSealer: ~Copyable {
    /// Bytes of a frame beside its payload.
    public static let overhead = 2 + 12 + ChaChaPolyCipher.tagByteCount + ChaChaPolyNonce.trailingByteCount

    /// How the header is written.
    public enum HeaderStyle: Hashable, Sendable {
        /// Marker, 23-bit sequence number, format code as SSRC.
        case formatCode23
        /// Payload type 103, 16-bit sequence number, SSRC 0; the marker on the first packet.
        case classicRTP16
    }

    private var cipher: ChaChaPolyCipher
    private let headerStyle: HeaderStyle
    private var counter: UInt64 = 0

    public init(key: SymmetricKey, headerStyle: HeaderStyle) throws(CryptographyError) {
        cipher = try ChaChaPolyCipher(key: key)
        self.headerStyle = headerStyle
    }

    /// - Parameter output: at least the payload and ``overhead``.
    /// - Returns: bytes written.
    public mutating func seal(
        payload: UnsafeRawBufferPointer, sequence: SequenceNumber, rtpTime: RTPTime, formatCode: UInt32,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) -> Int {
        let total = payload.count + Self.overhead
        guard output.count >= total else { throw .outputTooSmall(needed: total, available: output.count) }
        guard total <= Int(UInt16.max) else { throw .inputTooLong(byteCount: payload.count) }
        store(UInt16(total), at: 0, in: output)
        store(firstWord(sequence), at: 2, in: output)
        store(rtpTime.rawValue, at: 6, in: output)
        store(headerStyle == .formatCode23 ? formatCode : 0, at: 10, in: output)
        let sealed = UnsafeMutableRawBufferPointer(
            rebasing: output[14..<14 + payload.count + ChaChaPolyCipher.tagByteCount])
        try cipher.seal(
            payload, nonce: ChaChaPolyNonce(counter: counter),
            authenticating: UnsafeRawBufferPointer(rebasing: output[6..<14]), into: sealed)
        output.storeBytes(of: counter.littleEndian, toByteOffset: total - 8, as: UInt64.self)
        counter += 1
        return total
    }

    private func firstWord(_ sequence: SequenceNumber) -> UInt32 {
        switch headerStyle {
        case .formatCode23: 0x8080_0000 | sequence.rawValue
        case .classicRTP16: (counter == 0 ? 0x80E7_0000 : 0x8067_0000) | sequence.rawValue & 0xFFFF
        }
    }

    private func store<Value: FixedWidthInteger>(
        _ value: Value, at offset: Int, in output: UnsafeMutableRawBufferPointer
    ) {
        output.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Value.self)
    }
}
