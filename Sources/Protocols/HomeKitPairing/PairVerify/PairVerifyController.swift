import TuttiCryptography

/// The controller's end of pair-verify, by which it gets an encrypted connection to an accessory that knows it.
///
/// Send ``start()`` as the body of `POST /pair-verify`, pass each reply's body to ``receive(_:)``, and
/// perform the returned step. Use one value per attempt.
///
/// Source: HomeKit Accessory Protocol, pair-verify.
package struct PairVerifyController: Sendable {
    /// The next action of the caller.
    package enum Step: Equatable, Sendable {
        /// Send this body in the next request.
        case send([UInt8])
        /// Verification has succeeded; both sides have this secret, and all later bytes are encrypted.
        case verified(SharedSecret)
    }

    private enum Phase: Sendable {
        case idle
        case awaitingKeys
        case awaitingFinish(SharedSecret)
        case over
    }

    private var phase = Phase.idle
    private let agreement: Curve25519KeyAgreement
    private let identity: PairingIdentity
    private let accessory: PairedPeer

    /// - Parameters:
    ///   - identity: Our identity; the same as in pair-setup.
    ///   - accessory: The accessory that must answer.
    package init(identity: PairingIdentity, accessory: PairedPeer) {
        self.init(identity: identity, accessory: accessory, agreement: PairVerify.newKeyAgreement())
    }

    /// Creates a controller with a known key agreement, for recorded exchanges.
    package init(identity: PairingIdentity, accessory: PairedPeer, agreement: Curve25519KeyAgreement) {
        self.identity = identity
        self.accessory = accessory
        self.agreement = agreement
    }

    /// Returns the body of the first request. Call it once.
    package mutating func start() -> [UInt8] {
        guard case .idle = phase else { preconditionFailure("a verification starts once") }
        phase = .awaitingKeys
        let message = TLV8([
            .init(.state, [PairVerify.State.startRequest]), .init(.publicKey, agreement.publicKey),
        ])
        return message.encoded
    }

    /// Processes the body of a reply.
    ///
    /// - Throws: ``PairingError``; the procedure is then over, and every later call throws.
    ///   ``PairingError/authenticationFailed`` means that the accessory no longer knows us.
    package mutating func receive(_ body: [UInt8]) throws(PairingError) -> Step {
        let current = phase
        phase = .over
        switch current {
        case .idle, .over:
            throw .notInProgress
        case .awaitingKeys:
            return .send(try answer(body))
        case .awaitingFinish(let secret):
            _ = try PairingMessage.parseReply(body, expecting: PairVerify.State.finishReply)
            return .verified(secret)
        }
    }

    private mutating func answer(_ body: [UInt8]) throws(PairingError) -> [UInt8] {
        let message = try PairingMessage.parseReply(body, expecting: PairVerify.State.startReply)
        let theirs = try PairingMessage.value(.publicKey, of: message)
        let secret = try PairVerify.secret(agreement, theirs)
        let lock = SealedList.ofPairVerify(secret)
        try check(message, lock, theirs: theirs)
        let inner = PairVerify.introduction(of: identity, ours: agreement.publicKey, theirs: theirs)
        let answer = TLV8([
            .init(.state, [PairVerify.State.finishRequest]),
            .init(.encryptedData, lock.seal(inner, as: PairVerify.controllerMessage)),
        ])
        phase = .awaitingFinish(secret)
        return answer.encoded
    }

    /// Throws unless the known accessory has sent the message.
    private func check(_ message: TLV8, _ lock: SealedList, theirs: [UInt8]) throws(PairingError) {
        let inner: TLV8
        do {
            inner = try lock.open(message, as: PairVerify.accessoryMessage)
        } catch .authenticationFailed {
            throw .accessoryNotAuthentic
        }
        let identifier = try PairingMessage.value(.identifier, of: inner)
        let signature = try PairingMessage.value(.signature, of: inner)
        guard identifier == accessory.identifier,
            accessory.signed(signature, over: theirs, agreement.publicKey)
        else { throw .accessoryNotAuthentic }
    }
}
