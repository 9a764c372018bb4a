import Cryptography

/// The accessory's end of transient pair-setup: bodies in, bodies and at last a secret out.
///
/// Give each body of `POST /pair-setup` to ``receive(_:)`` and answer with the body it gives, which
/// still travels in the clear. A value serves one connection. How many wrong attempts are allowed
/// over all connections is the caller's rule; ``refuse(_:because:)`` is the way to say so.
///
/// Source: HomeKit Accessory Protocol, pair-setup; the transient form and its secret *observed*
/// with AirPlay receivers.
public struct PairSetupAccessory: Sendable {
    /// What to do next.
    public enum Step: Equatable, Sendable {
        /// Answer with this body.
        case send([UInt8])
        /// Answer with this body; everything behind it is encrypted.
        case paired(reply: [UInt8], SharedSecret)
        /// Answer with this body; the attempt is over.
        case refused(reply: [UInt8], because: PairingError)
    }

    private enum Phase: Sendable {
        case idle
        case awaitingProof(SRPServer<SHA512>)
        case paired
    }

    private var phase = Phase.idle
    private let password: Password

    private struct Password: Sendable, Redacted {
        let bytes: [UInt8]
    }

    /// - Parameter password: What the controller must know.
    public init(password: String = PairSetup.transientPassword) {
        self.password = Password(bytes: Array(password.utf8))
    }

    /// Takes the body of a request. Bytes of any kind give a step, never a trap.
    ///
    /// A first message begins again at any time until both sides are paired: after a lost answer, or
    /// after a wrong password.
    public mutating func receive(_ body: [UInt8]) -> Step {
        do {
            return try answer(body)
        } catch {
            return refuse(body, because: error)
        }
    }

    /// Ends the attempt with an error, whatever the body says: when there is a back-off, or another
    /// controller is pairing.
    ///
    /// - Parameter body: The request that is refused; its number decides the answer's.
    public mutating func refuse(_ body: [UInt8], because error: PairingError) -> Step {
        if case .awaitingProof = phase { phase = .idle }
        // What cannot be read is answered as if it were the first message.
        let message = try? PairingMessage.parse(body)
        let isProof = message?[.state] == [PairSetup.State.proofRequest]
        let state = isProof ? PairSetup.State.proofReply : PairSetup.State.startReply
        return .refused(reply: PairingMessage.refusal(state: state, because: error), because: error)
    }

    private mutating func answer(_ body: [UInt8]) throws(PairingError) -> Step {
        let message = try PairingMessage.parse(body)
        let state = try PairingMessage.integer(.state, of: message)
        switch (phase, state) {
        case (.paired, _):
            throw .notInProgress
        case (_, UInt64(PairSetup.State.startRequest)):
            return try challenge(message)
        case (.idle, _):
            throw .unexpectedState(expected: PairSetup.State.startRequest, received: state)
        case (.awaitingProof(let server), _):
            try PairingMessage.require(PairSetup.State.proofRequest, in: message)
            return try confirm(message, server)
        }
    }

    private mutating func challenge(_ message: TLV8) throws(PairingError) -> Step {
        let method = try PairingMessage.integer(.method, of: message) ?? 0
        let flags = try PairingMessage.integer(.flags, of: message) ?? 0
        guard method == UInt64(PairingMethod.pairSetup),
            PairingFlags(rawValue: UInt32(truncatingIfNeeded: flags)).contains(.transient)
        else { throw .unsupportedProcedure(method: method, flags: flags) }
        let server = SRPServer<SHA512>(
            group: PairSetup.group, userName: PairSetup.userName, password: password.bytes)
        phase = .awaitingProof(server)
        let answer = TLV8([
            .init(.state, [PairSetup.State.startReply]),
            .init(.salt, server.salt),
            .init(.publicKey, server.publicKey),
        ])
        return .send(answer.encoded)
    }

    private mutating func confirm(
        _ message: TLV8, _ server: SRPServer<SHA512>
    ) throws(PairingError) -> Step {
        let key = try PairingMessage.value(.publicKey, of: message)
        let proof = try PairingMessage.value(.proof, of: message)
        let exchange: SRPServerExchange
        do {
            exchange = try server.verify(clientPublicKey: key, clientProof: proof)
        } catch {
            throw PairingError(error)
        }
        phase = .paired
        let answer = TLV8([
            .init(.state, [PairSetup.State.proofReply]), .init(.proof, exchange.proof),
        ])
        return .paired(reply: answer.encoded, SharedSecret(sessionKey: exchange.sessionKey))
    }
}
