import Cryptography
import Wire

/// Why a packet cannot be written or read.
public enum RTPError: Error, Equatable, Sendable {
    /// More payload than a receiver's packet buffer holds, in bytes.
    case payloadTooLong(limit: Int)
    /// The memory given for the result is too small, in bytes.
    case outputTooSmall(needed: Int, available: Int)
    /// A frame says a length, in bytes, that no packet has; the stream is out of step for good.
    case impossibleFrameLength(Int)
    /// A packet is shorter than header, tag and nonce together, in bytes.
    case packetTooShort(byteCount: Int)
    /// A header field is not what it must be.
    case malformedHeader(WireError)
    /// A packet failed its tag: another key, or changed bytes. The next packet may be good.
    case authenticationFailed
    /// The cryptography library failed.
    case cipherFailed(CryptographyError)
}
