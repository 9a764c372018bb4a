import CTuttiOpenSSL

/// The public half of an Ed25519 key pair.
///
/// Source: RFC 8032.
package struct Ed25519VerifyingKey: Sendable, Hashable {
    /// The length of a public key, in bytes.
    package static let byteCount = 32
    /// The length of a signature, in bytes.
    package static let signatureByteCount = 64

    /// The key as encoded.
    package let bytes: [UInt8]

    /// Creates a peer's key.
    ///
    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` unless there are 32 bytes. Whether
    ///   they are a point of the curve is only checked with a signature.
    package init(_ bytes: [UInt8]) throws(CryptographyError) {
        guard bytes.count == Self.byteCount else {
            throw .wrongByteCount(expected: Self.byteCount, received: bytes.count)
        }
        self.bytes = bytes
    }

    /// Returns whether the holder of the private half signed exactly this message.
    ///
    /// Also `false` for a signature of the wrong length and for a key that is no point.
    package func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        // A key that libcrypto rejects has signed nothing; the cause does not matter here.
        guard signature.count == Self.signatureByteCount,
            let context = EVP_MD_CTX_new()
        else { return false }
        defer { EVP_MD_CTX_free(context) }
        do {
            let key = try KeyHandle(publicKey: bytes, .ed25519)
            return EVP_DigestVerifyInit(context, nil, nil, nil, key.pointer) == 1
                && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        } catch {
            return false
        }
    }
}
