import Cryptography

/// The controller's end of transient pair-setup: bodies in, bodies and at last a secret out.
///
/// Send ``start()`` as the body of `POST /pair-setup`, give each answer's body to
/// ``receive(_:)`` and do what it says. The fourth message still travels in the clear; everything
/// behind it is encrypted. A value serves one connection.
///
/// Source: HomeKit Accessory Protocol, pair-setup; the transient form and its secret *observed*
/// with AirPlay receivers.
public struct PairSetupController: Sendable {
    /// What to do next.
    public enum Step: Equatable, Sendable {
        /// The body of the next request.
        case send([UInt8])
        /// Both sides have this.
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

    /// - Parameter password: The receiver's password, or the one that receivers without a password
    ///   take.
    public init(password: String = PairSetup.transientPassword) {
        self.init(password: password, privateValue: nil)
    }

    /// With a private value a that is known before, for recorded exchanges.
    package init(
        password: String, privateValue: [UInt8]?, flags: PairingFlags = .transient
    ) {
        self.flags = flags
        client = SRPClient(
            group: PairSetup.group, userName: PairSetup.userName, password: Array(password.utf8))
        self.privateValue = privateValue
    }

    /// The body of the first request. Once.
    public mutating func start() -> [UInt8] {
        guard case .idle = phase else { preconditionFailure("a pairing starts once") }
        phase = .awaitingChallenge
        var message = TLV8([
            .init(.state, [PairSetup.State.startRequest]),
            .init(.method, [PairingMethod.pairSetup]),
        ])
        if !flags.isEmpty { message.append(.flags, [UInt8(truncatingIfNeeded: flags.rawValue)]) }
        return message.encoded
    }

    /// Takes the body of an answer.
    ///
    /// - Throws: ``PairingError``; the procedure is then over, and so it is for all later bodies.
    public mutating func receive(_ body: [UInt8]) throws(PairingError) -> Step {
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
    /// What a failed SRP exchange means to the side that found it.
    init(_ error: SRPError) {
        switch error {
        case .invalidPublicKey: self = .invalidPublicKey
        case .wrongProof: self = .authenticationFailed
        }
    }
}
