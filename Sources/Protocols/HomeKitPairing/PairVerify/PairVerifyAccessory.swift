import TuttiCryptography

/// The accessory's end of pair-verify, by which a known controller gets an encrypted connection.
///
/// Pass each body of `POST /pair-verify` to ``receive(_:)``, and answer with the returned body, which is
/// still unencrypted. Use one value per connection, for any number of attempts; after a failed attempt the
/// connection can still be used for pair-setup.
///
/// Source: HomeKit Accessory Protocol, pair-verify.
package struct PairVerifyAccessory: Sendable {
    /// The next action of the caller.
    package enum Step: Equatable, Sendable {
        /// Answer with this body.
        case send([UInt8])
        /// Verification has succeeded. Answer with this body; all later bytes are encrypted.
        case verified(reply: [UInt8], SharedSecret, PairedPeer)
        /// The attempt has failed. Answer with this body.
        case refused(reply: [UInt8], because: PairingError)
    }

    private struct Exchange: Sendable {
        let secret: SharedSecret
        let ours: [UInt8]
        let theirs: [UInt8]
    }

    private enum Phase: Sendable {
        case idle
        case awaitingFinish(Exchange)
        case verified
    }

    private var phase = Phase.idle
    private let identity: PairingIdentity
    private let controller: @Sendable ([UInt8]) -> PairedPeer?

    /// - Parameters:
    ///   - identity: The accessory's identity.
    ///   - controller: Returns the known controller with an identifier; `nil` when there is none. Must not block.
    package init(identity: PairingIdentity, controller: @escaping @Sendable ([UInt8]) -> PairedPeer?) {
        self.identity = identity
        self.controller = controller
    }

    /// Processes the body of a request. Any bytes are safe.
    package mutating func receive(_ body: [UInt8]) -> Step {
        receive(body, newKeyAgreement: PairVerify.newKeyAgreement)
    }

    /// Processes a body with a known key agreement, for recorded exchanges.
    package mutating func receive(
        _ body: [UInt8], newKeyAgreement: () -> Curve25519KeyAgreement
    ) -> Step {
        do {
            return try answer(body, newKeyAgreement)
        } catch {
            return refuse(body, because: error)
        }
    }

    /// Ends the attempt with an error, whatever the body contains.
    ///
    /// - Parameter body: The refused request; its state decides that of the answer.
    package mutating func refuse(_ body: [UInt8], because error: PairingError) -> Step {
        if case .awaitingFinish = phase { phase = .idle }
        // An unreadable request is answered like a first message.
        let message = try? PairingMessage.parse(body)
        let isFinish = message?[.state] == [PairVerify.State.finishRequest]
        let state = isFinish ? PairVerify.State.finishReply : PairVerify.State.startReply
        return .refused(reply: PairingMessage.refusal(state: state, because: error), because: error)
    }

    private mutating func answer(
        _ body: [UInt8], _ newKeyAgreement: () -> Curve25519KeyAgreement
    ) throws(PairingError) -> Step {
        let message = try PairingMessage.parse(body)
        let state = try PairingMessage.integer(.state, of: message)
        switch (phase, state) {
        case (.verified, _):
            throw .notInProgress
        case (_, UInt64(PairVerify.State.startRequest)):
            return try exchangeKeys(message, newKeyAgreement())
        case (.idle, _):
            throw .unexpectedState(expected: PairVerify.State.startRequest, received: state)
        case (.awaitingFinish(let exchange), _):
            try PairingMessage.require(PairVerify.State.finishRequest, in: message)
            return try finish(message, exchange)
        }
    }

    private mutating func exchangeKeys(
        _ message: TLV8, _ agreement: Curve25519KeyAgreement
    ) throws(PairingError) -> Step {
        let theirs = try PairingMessage.value(.publicKey, of: message)
        let secret = try PairVerify.secret(agreement, theirs)
        let ours = agreement.publicKey
        phase = .awaitingFinish(Exchange(secret: secret, ours: ours, theirs: theirs))
        let inner = PairVerify.introduction(of: identity, ours: ours, theirs: theirs)
        let answer = TLV8([
            .init(.state, [PairVerify.State.startReply]), .init(.publicKey, ours),
            .init(
                .encryptedData,
                SealedList.ofPairVerify(secret).seal(inner, as: PairVerify.accessoryMessage)),
        ])
        return .send(answer.encoded)
    }

    private mutating func finish(_ message: TLV8, _ exchange: Exchange) throws(PairingError) -> Step {
        let inner = try SealedList.ofPairVerify(exchange.secret)
            .open(message, as: PairVerify.controllerMessage)
        let identifier = try PairingMessage.value(.identifier, of: inner)
        let signature = try PairingMessage.value(.signature, of: inner)
        // Do not reveal whether the controller is unknown or only claims to be a known one.
        guard let peer = controller(identifier), peer.identifier == identifier,
            peer.signed(signature, over: exchange.theirs, exchange.ours)
        else { throw .authenticationFailed }
        phase = .verified
        let answer = TLV8([.init(.state, [PairVerify.State.finishReply])])
        return .verified(reply: answer.encoded, exchange.secret, peer)
    }
}
