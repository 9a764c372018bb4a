import TuttiCryptography

/// The accessory's end of the pairing of Apple TVs before HomeKit, on one connection: has a PIN, learns the key of a controller, and
/// checks everything that it gets.
///
/// For stand-ins in tests: the private value of its key exchange is always the same.
package struct FruitAccessory: Sendable {
    private enum Setup: Sendable {
        case idle
        case awaitingProof(SRPServer<SHA1>)
        case awaitingIntroduction([UInt8])
    }

    private let pin: String
    private let salt: [UInt8]
    private let privateValue: [UInt8]
    private let agreement: Curve25519KeyAgreement
    private let key: Ed25519SigningKey
    private var setup = Setup.idle
    private var verified: (ours: [UInt8], theirs: [UInt8], secret: [UInt8])?
    /// The controllers that have paired, on any connection, by user.
    package var controllers: [String: Ed25519VerifyingKey] = [:]
    /// Whether a controller has proven on this connection that it has paired.
    package private(set) var isVerified = false
    private var user = ""

    /// The request is refused.
    package struct Refused: Error {}

    /// - Parameters:
    ///   - pin: The PIN that is shown.
    ///   - salt: The salt of the key exchange.
    ///   - privateValue: Its private value.
    ///   - agreement: The keys of pair-verify; `nil` for new ones.
    package init(
        pin: String, salt: [UInt8] = [UInt8](repeating: 3, count: 16),
        privateValue: [UInt8] = [UInt8](repeating: 9, count: 32),
        agreement: Curve25519KeyAgreement? = nil
    ) throws {
        (self.pin, self.salt, self.privateValue) = (pin, salt, privateValue)
        self.agreement = try agreement ?? Curve25519KeyAgreement()
        key = try Ed25519SigningKey()
    }

    /// Answers `POST /pair-setup-pin`.
    package mutating func receive(_ message: FruitPairingMessage) throws -> FruitPairingMessage {
        let current = setup
        setup = .idle
        var reply = FruitPairingMessage()
        if let user = message.user {
            guard message.method == FruitPairingMessage.pinMethod else { throw Refused() }
            self.user = user
            let server = SRPServer<SHA1>(
                group: FruitPairing.group, userName: Array(user.utf8), password: Array(pin.utf8),
                salt: salt, privateValue: privateValue, keyForm: FruitPairing.keyForm)
            setup = .awaitingProof(server)
            (reply.publicKey, reply.salt) = (server.publicKey, server.salt)
        } else if case .awaitingProof(let server) = current, let key = message.publicKey,
            let proof = message.proof
        {
            let exchange = try server.verify(clientPublicKey: key, clientProof: proof)
            setup = .awaitingIntroduction(exchange.sessionKey)
            reply.proof = exchange.proof
        } else if case .awaitingIntroduction(let sessionKey) = current, let sealed = message.sealedKey,
            let tag = message.tag
        {
            let (cipher, iv) = FruitPairing.setupCipher(sessionKey)
            controllers[user] = try Ed25519VerifyingKey(try cipher.open(sealed, tag: tag, iv: iv))
            let ours = try cipher.seal(key.verifyingKey.bytes, iv: iv)
            (reply.sealedKey, reply.tag) = (ours.ciphertext, ours.tag)
        } else {
            throw Refused()
        }
        return reply
    }

    /// Answers `POST /pair-verify`.
    package mutating func receive(_ body: [UInt8]) throws -> [UInt8] {
        guard let waiting = verified else {
            guard body.count == 68, body.starts(with: FruitPairing.verifyStart) else { throw Refused() }
            let theirs = Array(body[4..<36])
            guard controllers.values.contains(try Ed25519VerifyingKey(Array(body[36...]))) else {
                throw Refused()
            }
            let secret = try agreement.sharedSecret(with: theirs)
            verified = (agreement.publicKey, theirs, secret)
            let (cipher, counter) = FruitPairing.verifyCipher(secret)
            let signature = try key.signature(for: agreement.publicKey + theirs)
            return agreement.publicKey + (try cipher.counterMode(signature, counter: counter))
        }
        verified = nil
        guard body.count == 68, body.starts(with: FruitPairing.verifyFinish) else { throw Refused() }
        let (cipher, counter) = FruitPairing.verifyCipher(waiting.secret)
        let stream = [UInt8](repeating: 0, count: 64) + body.dropFirst(4)
        let signature = Array(try cipher.counterMode(stream, counter: counter).dropFirst(64))
        let isKnown = controllers.values.contains {
            $0.isValid(signature: signature, for: waiting.theirs + waiting.ours)
        }
        guard isKnown else { throw Refused() }
        isVerified = true
        return []
    }
}
