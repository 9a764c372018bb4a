import TuttiCryptography

/// The constants and shared steps of pair-verify.
///
/// | message | from | values |
/// |---|---|---|
/// | 1 | controller | state 1, X25519 key C |
/// | 2 | accessory | state 2, X25519 key S, sealed: identifier, signature over S ‖ identifier ‖ C |
/// | 3 | controller | state 3, sealed: identifier, signature over C ‖ identifier ‖ S |
/// | 4 | accessory | state 4, or state 4 with an error |
///
/// Source: HomeKit Accessory Protocol, pair-verify.
enum PairVerify {
    /// The number of each message.
    enum State {
        static let startRequest: UInt8 = 1
        static let startReply: UInt8 = 2
        static let finishRequest: UInt8 = 3
        static let finishReply: UInt8 = 4
    }

    static let accessoryMessage = "PV-Msg02"
    static let controllerMessage = "PV-Msg03"

    /// Creates a key pair for one exchange.
    static func newKeyAgreement() -> Curve25519KeyAgreement {
        do {
            return try Curve25519KeyAgreement()
        } catch {
            // Fails only on a libcrypto without memory or without the algorithm.
            preconditionFailure("cannot make a key: \(error)")
        }
    }

    /// Returns the secret that both ends have after the exchange of keys.
    static func secret(
        _ ours: Curve25519KeyAgreement, _ theirs: [UInt8]
    ) throws(PairingError) -> SharedSecret {
        guard let bytes = try? ours.sharedSecret(with: theirs), let secret = try? SharedSecret(bytes) else {
            throw .invalidPublicKey
        }
        return secret
    }

    /// Returns an end's identity and signature, to be sealed.
    static func introduction(
        of identity: PairingIdentity, ours: [UInt8], theirs: [UInt8]
    ) -> TLV8 {
        TLV8([
            .init(.identifier, identity.identifier),
            .init(.signature, identity.signature(over: ours, theirs)),
        ])
    }
}
