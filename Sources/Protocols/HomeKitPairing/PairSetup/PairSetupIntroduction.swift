import TuttiCryptography

/// The exchange of identities in messages 5 and 6 of pair-setup.
///
/// The sealed list has an identifier, a long-term public key, and a signature over
/// HKDF(K, salt and info of that end) ‖ identifier ‖ public key.
///
/// Source: HomeKit Accessory Protocol, pair-setup M5 and M6.
struct PairSetupIntroduction {
    private let secret: SharedSecret
    private let lock: SealedList

    /// - Parameter secret: The session key K of SRP.
    init(_ secret: SharedSecret) {
        self.secret = secret
        lock = .ofPairSetup(secret)
    }

    /// Returns the whole message of `role`.
    func message(from role: PairingRole, _ identity: PairingIdentity) -> [UInt8] {
        let key = identity.key.verifyingKey.bytes
        let inner = TLV8([
            .init(.identifier, identity.identifier), .init(.publicKey, key),
            .init(.signature, identity.signature(over: signedPrefix(of: role), key)),
        ])
        let message = TLV8([
            .init(.state, [role.introductionState]),
            .init(.encryptedData, lock.seal(inner, as: role.introductionName)),
        ])
        return message.encoded
    }

    /// Returns the identity that `role` claims and proves.
    func peer(_ role: PairingRole, in message: TLV8) throws(PairingError) -> PairedPeer {
        let inner = try lock.open(message, as: role.introductionName)
        let peer = try PairedPeer(of: inner)
        let signature = try PairingMessage.value(.signature, of: inner)
        guard peer.signed(signature, over: signedPrefix(of: role), peer.key.bytes) else {
            throw .authenticationFailed
        }
        return peer
    }

    private func signedPrefix(of role: PairingRole) -> [UInt8] {
        let name = role == .controller ? "Controller" : "Accessory"
        return HKDF.sha512(
            secret: secret.bytes, salt: Array("Pair-Setup-\(name)-Sign-Salt".utf8),
            info: Array("Pair-Setup-\(name)-Sign-Info".utf8), count: 32)
    }
}

extension PairingRole {
    fileprivate var introductionState: UInt8 {
        self == .controller ? PairSetup.State.introductionRequest : PairSetup.State.introductionReply
    }

    fileprivate var introductionName: String { self == .controller ? "PS-Msg05" : "PS-Msg06" }
}
