/// An error of a cryptographic operation.
package enum CryptographyError: Error, Equatable, Sendable {
    /// A key, nonce or signature has the wrong length for its algorithm.
    case wrongByteCount(expected: Int, received: Int)
    /// The sealed bytes are too few for their 16-byte tag.
    case missingTag(byteCount: Int)
    /// The output buffer is smaller than the result.
    case outputTooSmall(needed: Int, available: Int)
    /// The input is longer than one message may be.
    case inputTooLong(byteCount: Int)
    /// The tag does not match: another key, another nonce, or changed bytes.
    case authenticationFailed
    /// A peer's public key is one that no honest peer sends, such as a point of small order.
    case invalidPublicKey
    /// libcrypto failed at an operation that does not normally fail: it is out of memory, or its
    /// configuration omits the algorithm.
    case libraryFailure(operation: String)
}
