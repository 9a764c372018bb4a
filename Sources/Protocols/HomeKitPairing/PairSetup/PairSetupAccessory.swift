import TuttiCryptography

/// The accessory's end of pair-setup, transient or with a PIN: request bodies in, reply bodies and finally a
/// result out.
///
/// Pass each body of `POST /pair-setup` to ``receive(_:)``, and answer with the returned body, which is still
/// unencrypted. Use one value per connection. ``receive(_:at:counting:)`` also counts wrong attempts over all
/// connections; ``refuse(_:because:)`` is for rules of the caller's own.
///
/// Source: HomeKit Accessory Protocol, pair-setup; the transient form and its secret *observed* with AirPlay
/// receivers.
package struct PairSetupAccessory: Sendable {
    /// The next action of the caller.
    package enum Step: Equatable, Sendable {
        /// Answer with this body.
        case send([UInt8])
        /// Transient pairing has succeeded. Answer with this body; all later bytes are encrypted.
        case paired(reply: [UInt8], SharedSecret)
        /// Pairing with a PIN has succeeded. Store the controller, then answer with this body; the connection
        /// stays unencrypted, and pair-verify follows. If storing fails, pass the same request to
        /// ``PairSetupAccessory/refuse(_:because:)`` and answer with that result.
        case introduced(reply: [UInt8], PairedPeer)
        /// The attempt has failed. Answer with this body.
        case refused(reply: [UInt8], because: PairingError)
    }

    /// The parameters of pairing with a PIN.
    package struct Lasting: Sendable {
        /// The accessory's identity, which controllers store.
        package let identity: PairingIdentity
        /// Returns the PIN, and shows it to the user, at each first message that is not transient; `nil`
        /// refuses the attempt. ``PINDisplay`` holds the valid PIN. Called on the thread that calls
        /// ``PairSetupAccessory/receive(_:)``; must not block.
        package let pin: @Sendable () -> String?

        /// Creates the parameters of pairing with a PIN.
        package init(identity: PairingIdentity, pin: @escaping @Sendable () -> String?) {
            self.identity = identity
            self.pin = pin
        }
    }

    private struct Password: Sendable, Redacted {
        let bytes: [UInt8]
    }

    private struct Challenge: Sendable {
        let server: SRPServer<SHA512>
        /// The accessory's identity; `nil` in a transient pairing.
        let identity: PairingIdentity?
        /// Whether the password is secret, and not the well-known one, so that wrong attempts are guesses.
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
    ///   - password: The password for transient pairing; `nil` refuses transient pairing.
    ///   - lasting: The parameters of pairing with a PIN; `nil` refuses it.
    package init(password: String? = PairSetup.transientPassword, lasting: Lasting? = nil) {
        self.password = password.map { Password(bytes: Array($0.utf8)) }
        self.lasting = lasting
    }

    /// Processes the body of a request. Any bytes are safe.
    ///
    /// A first message restarts the procedure at any time until a transient pairing has succeeded: after a
    /// lost answer, or after a wrong password.
    package mutating func receive(_ body: [UInt8]) -> Step {
        do {
            return try answer(body)
        } catch {
            return refuse(body, because: error)
        }
    }

    /// Processes a body like ``receive(_:)``, under the limits of `attempts` for all connections that share it.
    ///
    /// - Parameters:
    ///   - time: The time since any fixed instant, on a monotonic clock.
    ///   - attempts: The counter, used for guarded attempts only; pairing with the well-known password is
    ///     never refused.
    package mutating func receive(
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

    /// Ends the attempt with an error, whatever the body contains: during a back-off, or while another
    /// controller is pairing.
    ///
    /// - Parameter body: The refused request; its state decides that of the answer.
    package mutating func refuse(_ body: [UInt8], because error: PairingError) -> Step {
        if case .paired = phase {} else { phase = .idle }
        // An unreadable request is answered like a first message.
        let message = try? PairingMessage.parse(body)
        let state =
            switch message?[.state] {
            case [PairSetup.State.proofRequest]: PairSetup.State.proofReply
            case [PairSetup.State.introductionRequest]: PairSetup.State.introductionReply
            default: PairSetup.State.startReply
            }
        return .refused(reply: PairingMessage.refusal(state: state, because: error), because: error)
    }

    /// Whether a transient pairing has succeeded; the procedure cannot restart after that.
    package var hasPaired: Bool { if case .paired = phase { true } else { false } }

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

    // MARK: Guarded attempts

    private var isPasswordSecret: Bool {
        password.map { $0.bytes != Array(PairSetup.transientPassword.utf8) } ?? false
    }

    /// Returns whether this body begins or continues an attempt at a secret; an unreadable body does not.
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
    package var isWrongGuess: Bool { self == .authenticationFailed || self == .invalidPublicKey }
}
