/// ChaCha20-Poly1305 for a single message; use ``ChaChaPolyCipher`` for many.
///
/// Source: RFC 8439.
package enum ChaChaPoly {
    /// Encrypts one message; returns the ciphertext, then the 16-byte tag. Never reuse a nonce with the same key.
    package static func seal(
        _ plaintext: [UInt8], key: SymmetricKey, nonce: ChaChaPolyNonce, authenticating: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        var cipher = try ChaChaPolyCipher(key: key)
        var output: [UInt8] = []
        try cipher.seal(
            plaintext[...], nonce: nonce, authenticating: authenticating[...], appendingTo: &output)
        return output
    }

    /// Decrypts ciphertext and tag.
    ///
    /// - Throws: ``CryptographyError/authenticationFailed`` when key, nonce or any byte differs.
    package static func open(
        _ sealed: [UInt8], key: SymmetricKey, nonce: ChaChaPolyNonce, authenticating: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        var cipher = try ChaChaPolyCipher(key: key)
        var output: [UInt8] = []
        try cipher.open(
            sealed[...], nonce: nonce, authenticating: authenticating[...], appendingTo: &output)
        return output
    }
}
