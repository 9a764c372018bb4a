import TuttiCryptography
import TuttiWire

/// The controller's end of the pair-verify of Apple TVs before HomeKit, by which a connection is accepted. It
/// stays unencrypted.
///
/// Send ``start()`` as the body of `POST /pair-verify`, pass each reply's body to ``receive(_:)``, and
/// perform the returned step. A reply with an error status ends the procedure; the caller sees that. Use one
/// value per attempt.
///
/// The accessory's signature is not checked: its key is not known for certain, and nothing protects what
/// follows. Source: *observed* in pyatv 0.18; see ``FruitPairing``.
package struct FruitPairVerifyController: Sendable {
    /// The next action of the caller.
    package enum Step: Equatable, Sendable {
        /// Send this body in the next request.
        case send([UInt8])
        /// The accessory accepts this connection.
        case verified
    }

    private enum Phase: Sendable {
        case idle
        case awaitingKeys
        case awaitingFinish
        case over
    }

    /// The length of the accessory's first reply, in bytes: its key and its sealed signature.
    static let replyByteCount = 32 + FruitPairing.signatureByteCount

    private var phase = Phase.idle
    private let agreement: Curve25519KeyAgreement
    private let identity: PairingIdentity

    /// - Parameter identity: Our identity; the same as in pair-setup.
    package init(identity: PairingIdentity) {
        self.init(identity: identity, agreement: PairVerify.newKeyAgreement())
    }

    /// Creates a controller with a known key agreement, for computed exchanges.
    package init(identity: PairingIdentity, agreement: Curve25519KeyAgreement) {
        (self.identity, self.agreement) = (identity, agreement)
    }

    /// Returns the body of the first request. Call it once.
    package mutating func start() -> [UInt8] {
        guard case .idle = phase else { preconditionFailure("a verification starts once") }
        phase = .awaitingKeys
        return FruitPairing.verifyStart + agreement.publicKey + identity.key.verifyingKey.bytes
    }

    /// Processes the body of a successful reply.
    ///
    /// - Throws: ``PairingError``; the procedure is then over, and every later call throws.
    package mutating func receive(_ body: [UInt8]) throws(PairingError) -> Step {
        let current = phase
        phase = .over
        switch current {
        case .idle, .over: throw .notInProgress
        case .awaitingKeys:
            let answer = try answer(to: body)
            phase = .awaitingFinish
            return .send(answer)
        case .awaitingFinish: return .verified
        }
    }

    private func answer(to body: [UInt8]) throws(PairingError) -> [UInt8] {
        guard !body.isEmpty else { throw .emptyBody }
        guard body.count == Self.replyByteCount else {
            throw .malformed(
                .outOfRange(field: "pair-verify reply byte count", value: UInt64(body.count)))
        }
        let theirs = Array(body.prefix(32))
        guard let secret = try? agreement.sharedSecret(with: theirs) else { throw .invalidPublicKey }
        let (cipher, counter) = FruitPairing.verifyCipher(secret)
        do {
            let signature = try identity.key.signature(for: agreement.publicKey + theirs)
            // The accessory's signature used the beginning of the key stream.
            let used = [UInt8](repeating: 0, count: FruitPairing.signatureByteCount)
            let sealed = try cipher.counterMode(used + signature, counter: counter)
            return FruitPairing.verifyFinish + sealed.dropFirst(used.count)
        } catch {
            // Fails only on a libcrypto without memory or without the algorithm.
            preconditionFailure("cannot sign: \(error)")
        }
    }
}
