import TuttiCryptography

/// The encryption of a list inside another list's ``TLV8Tag/encryptedData``.
///
/// Layout: ciphertext, then the tag of 16 bytes; no additional data is authenticated. The nonce is the name
/// of the message, 8 characters after four zero bytes.
struct SealedList {
    private let key: SymmetricKey

    /// Returns the encryption of pair-setup, whose secret is the session key of SRP.
    static func ofPairSetup(_ secret: SharedSecret) -> SealedList {
        SealedList(secret.bytes, salt: "Pair-Setup-Encrypt-Salt", info: "Pair-Setup-Encrypt-Info")
    }

    /// Returns the encryption of pair-verify, whose secret is that of X25519.
    static func ofPairVerify(_ secret: SharedSecret) -> SealedList {
        SealedList(secret.bytes, salt: "Pair-Verify-Encrypt-Salt", info: "Pair-Verify-Encrypt-Info")
    }

    private init(_ secret: [UInt8], salt: String, info: String) {
        key = SymmetricKey(derivedFrom: secret, salt: Array(salt.utf8), info: Array(info.utf8))
    }

    /// - Parameter message: The name of the message, 8 characters, e.g. `PS-Msg05`.
    func seal(_ list: TLV8, as message: String) -> [UInt8] {
        do {
            return try ChaChaPoly.seal(list.encoded, key: key, nonce: Self.nonce(message))
        } catch {
            // Fails only on a libcrypto without memory or without the algorithm.
            preconditionFailure("cannot encrypt: \(error)")
        }
    }

    /// Returns the list inside ``TLV8Tag/encryptedData`` of a message.
    ///
    /// - Throws: ``PairingError/authenticationFailed`` for another key, another message or changed bytes.
    func open(_ outer: TLV8, as message: String) throws(PairingError) -> TLV8 {
        let sealed = try PairingMessage.value(.encryptedData, of: outer)
        guard let plain = try? ChaChaPoly.open(sealed, key: key, nonce: Self.nonce(message)) else {
            throw .authenticationFailed
        }
        return try PairingMessage.parse(plain)
    }

    private static func nonce(_ message: String) -> ChaChaPolyNonce {
        precondition(
            message.utf8.count == ChaChaPolyNonce.trailingByteCount, "a message name has 8 characters")
        return ChaChaPolyNonce(counter: message.utf8.reversed().reduce(0) { ($0 << 8) | UInt64($1) })
    }
}
