/// Why a cryptographic operation gave no result.
public enum CryptographyError: Error, Equatable, Sendable {
    /// A key, nonce or signature has a length that its algorithm does not have.
    case wrongByteCount(expected: Int, received: Int)
    /// Sealed bytes are too few to hold their 16-byte tag.
    case missingTag(byteCount: Int)
    /// The output buffer is smaller than the result.
    case outputTooSmall(needed: Int, available: Int)
    /// The input is longer than one message may be.
    case inputTooLong(byteCount: Int)
    /// The tag does not fit: another key, another nonce, or changed bytes.
    case authenticationFailed
    /// A peer's public key that no honest peer sends, such as a point of small order.
    case invalidPublicKey
    /// libcrypto refused an operation that it normally cannot refuse: it is out of memory, or its
    /// configuration leaves the algorithm out.
    case libraryFailure(operation: String)
}
