import Cryptography

/// The accessory's end of pair-setup, transient or with a PIN: bodies in, bodies and at last a result out.
///
/// Give each body of `POST /pair-setup` to ``receive(_:)`` and answer with the body it gives, which still
/// travels in the clear. A value serves one connection. ``receive(_:at:counting:)`` also counts wrong
/// attempts over all connections; ``refuse(_:because:)`` is for rules of the caller's own.
///
/// Source: HomeKit Accessory Protocol, pair-setup; the transient form and its secret *observed*
/// with AirPlay receivers.
public struct PairSetupAccessory: Sendable {
    /// What to do next.
    public enum Step: Equatable, Sendable {
        /// Answer with this body.
        case send([UInt8])
        /// The end of transient pairing. Answer with this body; everything behind it is encrypted.
        case paired(reply: [UInt8], SharedSecret)
        /// The end of pairing with a PIN. Keep the controller, then answer with this body; the connection
        /// stays in the clear, and pair-verify comes next. If it cannot be kept, give the same request to
        /// ``PairSetupAccessory/refuse(_:because:)`` and answer with that.
        case introduced(reply: [UInt8], PairedPeer)
        /// Answer with this body; the attempt is over.
        case refused(reply: [UInt8], because: PairingError)
    }

    /// What pairing with a PIN needs.
    public struct Lasting: Sendable {
        /// Who the accessory is to controllers that keep it.
        public let identity: PairingIdentity
        /// Asked for the PIN with each first message that is not transient; shows it to the user. `nil`
        /// refuses the attempt; ``PINDisplay`` knows which counts. Called on the thread that calls
        /// ``PairSetupAccessory/receive(_:)``; must not wait.
        public let pin: @Sendable () -> String?

        public init(identity: PairingIdentity, pin: @escaping @Sendable () -> String?) {
            self.identity = identity
            self.pin = pin
        }
    }

    private struct Password: Sendable, Redacted {
        let bytes: [UInt8]
    }

    private struct Challenge: Sendable {
        let server: SRPServer<SHA512>
        /// `nil` in a transient pairing.
        let identity: PairingIdentity?
        /// Whether a guess is worth something: not with the password that everybody knows.
        let isGuarded: Bool
    }

    private enum Phase: Sendable {
        case idle
        case awaitingProof(Challenge)
        case awaitingIntroduction(PairSetupIntroduction, PairingIdentity)
        case paired
    }

    private var phase = Phase.idle
    private let password: Password?
    private let lasting: Lasting?

    /// - Parameters:
    ///   - password: What the controller must know for transient pairing; `nil` refuses transient pairing.
    ///   - lasting: `nil` refuses pairing with a PIN.
    public init(password: String? = PairSetup.transientPassword, lasting: Lasting? = nil) {
        self.password = password.map { Password(bytes: Array($0.utf8)) }
        self.lasting = lasting
    }

    /// Takes the body of a request. Bytes of any kind give a step, never a trap.
    ///
    /// A first message begins again at any time until there is a transient pairing: after a lost answer, or
    /// after a wrong password.
    public mutating func receive(_ body: [UInt8]) -> Step {
        do {
            return try answer(body)
        } catch {
            return refuse(body, because: error)
        }
    }

    /// As ``receive(_:)``, under the rule of `attempts` for all connections that share it.
    ///
    /// - Parameters:
    ///   - time: Since any fixed instant, on a clock that never goes back.
    ///   - attempts: Counted and asked for guarded attempts only; pairing with the password that everybody
    ///     knows is never refused.
    public mutating func receive(
        _ body: [UInt8], at time: Duration, counting attempts: inout some PairingAttemptCounting
    ) -> Step {
        let wasGuarded = isGuardedAttempt(body)
        if wasGuarded, let error = attempts.refusal(at: time) { return refuse(body, because: error) }
        let step = receive(body)
        switch step {
        case .refused(_, because: let error) where wasGuarded && error.isWrongGuess: attempts.fail(at: time)
        case .paired where wasGuarded, .introduced: attempts.succeed(at: time)
        case .send, .paired, .refused: break
        }
        return step
    }

    /// Ends the attempt with an error, whatever the body says: when there is a back-off, or another
    /// controller is pairing.
    ///
    /// - Parameter body: The request that is refused; its number decides the answer's.
    public mutating func refuse(_ body: [UInt8], because error: PairingError) -> Step {
        if case .paired = phase {} else { phase = .idle }
        // What cannot be read is answered as if it were the first message.
        let message = try? PairingMessage.parse(body)
        let state =
            switch message?[.state] {
            case [PairSetup.State.proofRequest]: PairSetup.State.proofReply
            case [PairSetup.State.introductionRequest]: PairSetup.State.introductionReply
            default: PairSetup.State.startReply
            }
        return .refused(reply: PairingMessage.refusal(state: state, because: error), because: error)
    }

    /// Whether a transient pairing has succeeded; nothing begins again then.
    public var hasPaired: Bool { if case .paired = phase { true } else { false } }

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
        case (.awaitingProof(let challenge), _):
            try PairingMessage.require(PairSetup.State.proofRequest, in: message)
            return try confirm(message, challenge)
        case (.awaitingIntroduction(let introduction, let identity), _):
            try PairingMessage.require(PairSetup.State.introductionRequest, in: message)
            let controller = try introduction.peer(.controller, in: message)
            phase = .idle
            return .introduced(reply: introduction.message(from: .accessory, identity), controller)
        }
    }

    private mutating func challenge(_ message: TLV8) throws(PairingError) -> Step {
        let challenge = try challenge(to: message)
        phase = .awaitingProof(challenge)
        let answer = TLV8([
            .init(.state, [PairSetup.State.startReply]),
            .init(.salt, challenge.server.salt),
            .init(.publicKey, challenge.server.publicKey),
        ])
        return .send(answer.encoded)
    }

    private func challenge(to message: TLV8) throws(PairingError) -> Challenge {
        let (method, flags) = try Self.procedure(of: message)
        guard method == UInt64(PairingMethod.pairSetup) else {
            throw .unsupportedProcedure(method: method, flags: flags.value)
        }
        if flags.areTransient {
            guard let password else { throw .unsupportedProcedure(method: method, flags: flags.value) }
            return Challenge(
                server: Self.server(password.bytes), identity: nil, isGuarded: isPasswordSecret)
        }
        guard let lasting else { throw .unsupportedProcedure(method: method, flags: flags.value) }
        guard let pin = lasting.pin() else { throw .unavailable }
        return Challenge(
            server: Self.server(Array(pin.utf8)), identity: lasting.identity, isGuarded: true)
    }

    private mutating func confirm(
        _ message: TLV8, _ challenge: Challenge
    ) throws(PairingError) -> Step {
        let key = try PairingMessage.value(.publicKey, of: message)
        let proof = try PairingMessage.value(.proof, of: message)
        let exchange: SRPServerExchange
        do {
            exchange = try challenge.server.verify(clientPublicKey: key, clientProof: proof)
        } catch {
            throw PairingError(error)
        }
        let secret = SharedSecret(sessionKey: exchange.sessionKey)
        let answer = TLV8([
            .init(.state, [PairSetup.State.proofReply]), .init(.proof, exchange.proof),
        ])
        guard let identity = challenge.identity else {
            phase = .paired
            return .paired(reply: answer.encoded, secret)
        }
        phase = .awaitingIntroduction(PairSetupIntroduction(secret), identity)
        return .send(answer.encoded)
    }

    // MARK: Which attempts are worth counting

    private var isPasswordSecret: Bool {
        password.map { $0.bytes != Array(PairSetup.transientPassword.utf8) } ?? false
    }

    /// Whether this body begins or goes on with an attempt at a secret.
    private func isGuardedAttempt(_ body: [UInt8]) -> Bool {
        guard let message = try? PairingMessage.parse(body),
            let state = try? PairingMessage.integer(.state, of: message)
        else { return false }
        if state == UInt64(PairSetup.State.startRequest) {
            guard let procedure = try? Self.procedure(of: message) else { return false }
            return procedure.flags.areTransient ? isPasswordSecret : lasting != nil
        }
        switch phase {
        case .awaitingProof(let challenge): return challenge.isGuarded
        case .awaitingIntroduction: return true
        case .idle, .paired: return false
        }
    }

    private static func procedure(
        of message: TLV8
    ) throws(PairingError) -> (method: UInt64, flags: (value: UInt64, areTransient: Bool)) {
        let method = try PairingMessage.integer(.method, of: message) ?? 0
        let flags = try PairingMessage.integer(.flags, of: message) ?? 0
        let areTransient = PairingFlags(rawValue: UInt32(truncatingIfNeeded: flags)).contains(.transient)
        return (method, (flags, areTransient))
    }

    private static func server(_ password: [UInt8]) -> SRPServer<SHA512> {
        SRPServer(group: PairSetup.group, userName: PairSetup.userName, password: password)
    }
}

extension PairingError {
    /// Whether the peer tried a secret that it does not know.
    public var isWrongGuess: Bool { self == .authenticationFailed || self == .invalidPublicKey }
}
