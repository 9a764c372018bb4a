import TuttiCryptography

/// The constants and derivations of the pairing of Apple TVs before HomeKit, up to tvOS 10: "fruit" pairing.
///
/// | message of pair-setup | from | values |
/// |---|---|---|
/// | 1 | controller | method, user |
/// | 2 | accessory | SRP key B, salt |
/// | 3 | controller | SRP key A, proof |
/// | 4 | accessory | proof |
/// | 5 | controller | Ed25519 key, sealed in AES-GCM, and its tag |
/// | 6 | accessory | the same of the accessory; ignored here |
///
/// | message of pair-verify | from | bytes |
/// |---|---|---|
/// | 1 | controller | 01 00 00 00, X25519 key C, Ed25519 key |
/// | 2 | accessory | X25519 key S, signature over S ‖ C in AES-CTR |
/// | 3 | controller | 00 00 00 00, signature over C ‖ S in AES-CTR, at the place of the key stream after message 2 |
/// | 4 | accessory | nothing |
///
/// The connection is not encrypted. Source: *observed* in pyatv 0.18, which pairs with such devices.
package enum FruitPairing {
    /// The group of SRP, whose hash is SHA-1.
    package static let group = SRPGroup.rfc5054Bits2048
    /// The form of the SRP session key.
    package static let keyForm = SRPKeyForm.twoHashes
    /// The length of a signature, and of message 2 of pair-verify after its key, in bytes.
    package static let signatureByteCount = 64
    /// The first bytes of message 1 of pair-verify.
    package static let verifyStart: [UInt8] = [1, 0, 0, 0]
    /// The first bytes of message 3 of pair-verify.
    package static let verifyFinish: [UInt8] = [0, 0, 0, 0]

    /// Returns key and initial value for the long-term keys in pair-setup.
    ///
    /// - Parameter sessionKey: The session key K of SRP.
    package static func setupCipher(_ sessionKey: [UInt8]) -> (cipher: AES128, iv: [UInt8]) {
        var iv = derived("Pair-Setup-AES-IV", sessionKey)
        iv[iv.count - 1] &+= 1
        return (cipher(derived("Pair-Setup-AES-Key", sessionKey)), iv)
    }

    /// Returns key and initial counter for the signatures in pair-verify.
    ///
    /// - Parameter secret: The secret of X25519.
    package static func verifyCipher(_ secret: [UInt8]) -> (cipher: AES128, counter: [UInt8]) {
        (cipher(derived("Pair-Verify-AES-Key", secret)), derived("Pair-Verify-AES-IV", secret))
    }

    private static func derived(_ name: String, _ secret: [UInt8]) -> [UInt8] {
        Array(SHA512.hash(Array(name.utf8) + secret).prefix(AES128.byteCount))
    }

    private static func cipher(_ key: [UInt8]) -> AES128 {
        do { return try AES128(key: key) } catch { preconditionFailure("a derived key has 16 bytes") }
    }
}
