import CTuttiOpenSSL

/// The private half of an Ed25519 key pair.
///
/// Source: RFC 8032.
package struct Ed25519SigningKey: Sendable, Redacted {
    /// The length of a private key, in bytes.
    package static let byteCount = 32

    /// The 32 bytes to store in order to restore this key; never for a log.
    package let bytes: [UInt8]
    /// The public half.
    package let verifyingKey: Ed25519VerifyingKey

    /// Creates a new random key.
    package init() throws(CryptographyError) {
        try self.init(SecureRandom.bytes(count: Self.byteCount))
    }

    /// Restores a stored key.
    ///
    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` unless there are 32 bytes.
    package init(_ bytes: [UInt8]) throws(CryptographyError) {
        self.bytes = bytes
        verifyingKey = try Ed25519VerifyingKey(KeyHandle(privateKey: bytes, .ed25519).publicKey)
    }

    /// Returns the 64-byte signature of a message; deterministic.
    package func signature(for message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let key = try KeyHandle(privateKey: bytes, .ed25519)
        guard let context = EVP_MD_CTX_new() else { throw .libraryFailure(operation: "EVP_MD_CTX_new") }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1 else {
            throw .libraryFailure(operation: "EVP_DigestSignInit")
        }
        var signature = [UInt8](repeating: 0, count: Ed25519VerifyingKey.signatureByteCount)
        var count = signature.count
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
            count == signature.count
        else { throw .libraryFailure(operation: "EVP_DigestSign") }
        return signature
    }
}
