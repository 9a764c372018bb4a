import TuttiCryptography
import TuttiWire

/// The reason that a packet cannot be written or read.
package enum RTPError: Error, Equatable, Sendable {
    /// The payload exceeds a receiver's packet buffer; the limit is in bytes.
    case payloadTooLong(limit: Int)
    /// The output buffer is too small; both sizes are in bytes.
    case outputTooSmall(needed: Int, available: Int)
    /// The stream names an impossible frame length, in bytes, and has permanently lost its packet boundaries;
    /// close the connection.
    case impossibleFrameLength(Int)
    /// The packet is shorter than header, tag and nonce together; the size is in bytes.
    case packetTooShort(byteCount: Int)
    /// A header field has an invalid value.
    case malformedHeader(WireError)
    /// The tag does not match: another key, or changed bytes. The next packet may be valid.
    case authenticationFailed
    /// The cryptography library failed.
    case cipherFailed(CryptographyError)
}
