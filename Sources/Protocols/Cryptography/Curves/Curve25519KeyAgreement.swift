import CTuttiOpenSSL

/// One side of an X25519 key agreement.
///
/// Source: RFC 7748.
package struct Curve25519KeyAgreement: Sendable, Redacted {
    /// The length of keys and of the agreed secret, in bytes.
    package static let byteCount = 32

    /// The public key to send to the peer, ``byteCount`` bytes.
    package let publicKey: [UInt8]
    private let privateKey: [UInt8]

    /// Creates a new random private key.
    package init() throws(CryptographyError) {
        try self.init(privateKey: SecureRandom.bytes(count: Self.byteCount))
    }

    /// Restores a known private key.
    ///
    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` unless there are 32 bytes.
    package init(privateKey: [UInt8]) throws(CryptographyError) {
        self.privateKey = privateKey
        publicKey = try KeyHandle(privateKey: privateKey, .x25519).publicKey
    }

    /// Returns the 32 bytes that both sides compute; derive keys from them, do not use them as a key.
    ///
    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` for a peer key of another length,
    ///   ``CryptographyError/invalidPublicKey`` for a peer key that makes the secret zero.
    package func sharedSecret(with peerPublicKey: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let ours = try KeyHandle(privateKey: privateKey, .x25519)
        let theirs = try KeyHandle(publicKey: peerPublicKey, .x25519)
        guard let context = EVP_PKEY_CTX_new(ours.pointer, nil) else {
            throw .libraryFailure(operation: "EVP_PKEY_CTX_new")
        }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_derive_init(context) == 1 else {
            throw .libraryFailure(operation: "EVP_PKEY_derive_init")
        }
        var secret = [UInt8](repeating: 0, count: Self.byteCount)
        var count = secret.count
        // libcrypto rejects an all-zero result, as RFC 7748, 6.1 requires.
        guard EVP_PKEY_derive_set_peer(context, theirs.pointer) == 1,
            EVP_PKEY_derive(context, &secret, &count) == 1, count == secret.count
        else { throw .invalidPublicKey }
        return secret
    }
}
