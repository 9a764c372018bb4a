import TuttiCryptography

/// The controller's end of the pair-setup of Apple TVs before HomeKit: six messages, after which the
/// accessory knows our public key.
///
/// Send ``start()`` in `POST /pair-setup-pin` after `POST /pair-pin-start`, pass each reply to
/// ``receive(_:)``, and perform the returned step. A reply with an error status ends the procedure; the
/// caller sees that. ``FruitPairVerifyController`` follows on every connection.
///
/// Source: *observed* in pyatv 0.18; see ``FruitPairing``.
package struct FruitPairSetupController: Sendable {
    /// The next action of the caller.
    package enum Step: Equatable, Sendable {
        /// Send this message in the next request.
        case send(FruitPairingMessage)
        /// The accessory knows our key.
        case introduced
    }

    private enum Phase: Sendable {
        case idle
        case awaitingChallenge
        case awaitingProof(SRPClientExchange)
        case awaitingIntroduction
        case over
    }

    private var phase = Phase.idle
    private let client: SRPClient<SHA1>
    private let identity: PairingIdentity
    private let privateValue: [UInt8]?

    /// - Parameters:
    ///   - pin: The PIN that the accessory shows.
    ///   - identity: Our identity; the same for all accessories. Its identifier is text, by convention 16
    ///     hexadecimal digits.
    package init(pin: String, identity: PairingIdentity) {
        self.init(pin: pin, identity: identity, privateValue: nil)
    }

    /// Creates a controller with a known private value a, for computed exchanges.
    package init(pin: String, identity: PairingIdentity, privateValue: [UInt8]?) {
        client = SRPClient(
            group: FruitPairing.group, userName: identity.identifier, password: Array(pin.utf8),
            keyForm: FruitPairing.keyForm)
        (self.identity, self.privateValue) = (identity, privateValue)
    }

    /// Returns the first message. Call it once.
    package mutating func start() -> FruitPairingMessage {
        guard case .idle = phase else { preconditionFailure("a pairing starts once") }
        phase = .awaitingChallenge
        var message = FruitPairingMessage()
        message.method = FruitPairingMessage.pinMethod
        message.user = String(decoding: identity.identifier, as: UTF8.self)
        return message
    }

    /// Processes a reply.
    ///
    /// - Throws: ``PairingError``; the procedure is then over, and every later call throws.
    ///   ``PairingError/accessoryNotAuthentic`` means that the accessory does not know the PIN.
    package mutating func receive(_ reply: FruitPairingMessage) throws(PairingError) -> Step {
        let current = phase
        phase = .over
        switch current {
        case .idle, .over: throw .notInProgress
        case .awaitingChallenge:
            let exchange = try respond(to: reply)
            phase = .awaitingProof(exchange)
            var message = FruitPairingMessage()
            (message.publicKey, message.proof) = (exchange.publicKey, exchange.proof)
            return .send(message)
        case .awaitingProof(let exchange):
            guard let proof = reply.proof else { throw .missing(.proof) }
            guard let key = try? exchange.sessionKey(serverProof: proof) else {
                throw .accessoryNotAuthentic
            }
            phase = .awaitingIntroduction
            return .send(introduction(key))
        case .awaitingIntroduction:
            return .introduced
        }
    }

    private func respond(to reply: FruitPairingMessage) throws(PairingError) -> SRPClientExchange {
        guard let salt = reply.salt else { throw .missing(.salt) }
        guard let key = reply.publicKey else { throw .missing(.publicKey) }
        do {
            guard let privateValue else { return try client.respond(salt: salt, serverPublicKey: key) }
            return try client.respond(salt: salt, serverPublicKey: key, privateValue: privateValue)
        } catch {
            throw PairingError(error)
        }
    }

    private func introduction(_ sessionKey: [UInt8]) -> FruitPairingMessage {
        let (cipher, iv) = FruitPairing.setupCipher(sessionKey)
        var message = FruitPairingMessage()
        do {
            let sealed = try cipher.seal(identity.key.verifyingKey.bytes, iv: iv)
            (message.sealedKey, message.tag) = (sealed.ciphertext, sealed.tag)
        } catch {
            // Fails only on a libcrypto without memory or without the algorithm.
            preconditionFailure("cannot encrypt: \(error)")
        }
        return message
    }
}
