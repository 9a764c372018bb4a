/// ChaCha20-Poly1305 for a single message; ``ChaChaPolyCipher`` is the one for many.
///
/// Source: RFC 8439.
public enum ChaChaPoly {
    /// Ciphertext, then the 16-byte tag.
    public static func seal(
        _ plaintext: [UInt8], key: SymmetricKey, nonce: ChaChaPolyNonce, authenticating: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        var cipher = try ChaChaPolyCipher(key: key)
        var output: [UInt8] = []
        try cipher.seal(
            plaintext[...], nonce: nonce, authenticating: authenticating[...], appendingTo: &output)
        return output
    }

    /// The plaintext of ciphertext and tag.
    ///
    /// - Throws: ``CryptographyError/authenticationFailed`` when anything differs.
    public static func open(
        _ sealed: [UInt8], key: SymmetricKey, nonce: ChaChaPolyNonce, authenticating: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        var cipher = try ChaChaPolyCipher(key: key)
        var output: [UInt8] = []
        try cipher.open(
            sealed[...], nonce: nonce, authenticating: authenticating[...], appendingTo: &output)
        return output
    }
}
