import TuttiCryptography

/// The controller's end of transient pair-setup: reply bodies in, request bodies and finally a secret out.
///
/// Send ``start()`` as the body of `POST /pair-setup`, pass each reply's body to ``receive(_:)``, and perform
/// the returned step. The fourth message is still unencrypted; all later bytes are encrypted. Use one value
/// per connection.
///
/// Source: HomeKit Accessory Protocol, pair-setup; the transient form and its secret *observed* with AirPlay
/// receivers.
package struct PairSetupController: Sendable {
    /// The next action of the caller.
    package enum Step: Equatable, Sendable {
        /// Send this body in the next request.
        case send([UInt8])
        /// Pairing has succeeded; both sides have this secret.
        case paired(SharedSecret)
    }

    private enum Phase: Sendable {
        case idle
        case awaitingChallenge
        case awaitingProof(SRPClientExchange)
        case over
    }

    private var phase = Phase.idle
    private let client: SRPClient<SHA512>
    private let privateValue: [UInt8]?
    private let flags: PairingFlags

    /// - Parameter password: The receiver's password, or the well-known one for receivers without a password.
    package init(password: String = PairSetup.transientPassword) {
        self.init(password: password, privateValue: nil)
    }

    /// Creates a controller with a known private value a, for recorded exchanges.
    package init(
        password: String, privateValue: [UInt8]?, flags: PairingFlags = .transient
    ) {
        self.flags = flags
        client = SRPClient(
            group: PairSetup.group, userName: PairSetup.userName, password: Array(password.utf8))
        self.privateValue = privateValue
    }

    /// Returns the body of the first request. Call it once.
    package mutating func start() -> [UInt8] {
        guard case .idle = phase else { preconditionFailure("a pairing starts once") }
        phase = .awaitingChallenge
        var message = TLV8([
            .init(.state, [PairSetup.State.startRequest]),
            .init(.method, [PairingMethod.pairSetup]),
        ])
        if !flags.isEmpty { message.append(.flags, [UInt8(truncatingIfNeeded: flags.rawValue)]) }
        return message.encoded
    }

    /// Processes the body of a reply.
    ///
    /// - Throws: ``PairingError``; the procedure is then over, and every later call throws.
    package mutating func receive(_ body: [UInt8]) throws(PairingError) -> Step {
        let current = phase
        phase = .over
        switch current {
        case .idle, .over: throw .notInProgress
        case .awaitingChallenge: return try answerChallenge(body)
        case .awaitingProof(let exchange): return .paired(try secret(confirmedBy: body, exchange))
        }
    }

    private mutating func answerChallenge(_ body: [UInt8]) throws(PairingError) -> Step {
        let message = try PairingMessage.parseReply(body, expecting: PairSetup.State.startReply)
        let exchange = try respond(
            salt: PairingMessage.value(.salt, of: message),
            publicKey: PairingMessage.value(.publicKey, of: message))
        phase = .awaitingProof(exchange)
        let answer = TLV8([
            .init(.state, [PairSetup.State.proofRequest]),
            .init(.publicKey, exchange.publicKey),
            .init(.proof, exchange.proof),
        ])
        return .send(answer.encoded)
    }

    private func respond(
        salt: [UInt8], publicKey: [UInt8]
    ) throws(PairingError) -> SRPClientExchange {
        do {
            guard let privateValue else {
                return try client.respond(salt: salt, serverPublicKey: publicKey)
            }
            return try client.respond(
                salt: salt, serverPublicKey: publicKey, privateValue: privateValue)
        } catch {
            throw PairingError(error)
        }
    }

    private func secret(
        confirmedBy body: [UInt8], _ exchange: SRPClientExchange
    ) throws(PairingError) -> SharedSecret {
        let message = try PairingMessage.parseReply(body, expecting: PairSetup.State.proofReply)
        let proof = try PairingMessage.value(.proof, of: message)
        do {
            return SharedSecret(sessionKey: try exchange.sessionKey(serverProof: proof))
        } catch {
            throw .accessoryNotAuthentic
        }
    }
}

extension PairingError {
    /// Converts an error of the SRP exchange to the error of the side that found it.
    init(_ error: SRPError) {
        switch error {
        case .invalidPublicKey: self = .invalidPublicKey
        case .wrongProof: self = .authenticationFailed
        }
    }
}
