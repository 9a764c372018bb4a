import TuttiCryptography

/// The controller's end of pair-setup with a PIN: six messages, after which both ends know each other.
///
/// Send ``start()`` as the body of `POST /pair-setup`, pass each reply's body to ``receive(_:)``, and perform
/// the returned step. This procedure does not encrypt the connection; ``PairVerifyController`` does, then and
/// on every later connection.
///
/// Source: HomeKit Accessory Protocol, pair-setup.
package struct PairSetupPINController: Sendable {
    /// The next action of the caller.
    package enum Step: Equatable, Sendable {
        /// Send this body in the next request.
        case send([UInt8])
        /// Pairing has succeeded; store this accessory.
        case introduced(PairedPeer)
    }

    private enum Phase: Sendable {
        case proving(PairSetupController)
        case awaitingIntroduction(PairSetupIntroduction)
        case over
    }

    private var phase: Phase
    private let identity: PairingIdentity

    /// - Parameters:
    ///   - pin: The PIN that the accessory shows.
    ///   - identity: Our identity; the same for all accessories and pairings.
    package init(pin: String, identity: PairingIdentity) {
        self.identity = identity
        phase = .proving(PairSetupController(password: pin, privateValue: nil, flags: []))
    }

    /// Returns the body of the first request. Call it once.
    package mutating func start() -> [UInt8] {
        guard case .proving(var inner) = phase else { preconditionFailure("a pairing starts once") }
        let body = inner.start()
        phase = .proving(inner)
        return body
    }

    /// Processes the body of a reply.
    ///
    /// - Throws: ``PairingError``; the procedure is then over, and every later call throws.
    package mutating func receive(_ body: [UInt8]) throws(PairingError) -> Step {
        let current = phase
        phase = .over
        switch current {
        case .proving(var inner):
            switch try inner.receive(body) {
            case .send(let next):
                phase = .proving(inner)
                return .send(next)
            case .paired(let secret):
                let introduction = PairSetupIntroduction(secret)
                phase = .awaitingIntroduction(introduction)
                return .send(introduction.message(from: .controller, identity))
            }
        case .awaitingIntroduction(let introduction):
            return .introduced(try Self.accessory(in: body, introduction))
        case .over:
            throw .notInProgress
        }
    }

    private static func accessory(
        in body: [UInt8], _ introduction: PairSetupIntroduction
    ) throws(PairingError) -> PairedPeer {
        let message = try PairingMessage.parseReply(body, expecting: PairSetup.State.introductionReply)
        do {
            return try introduction.peer(.accessory, in: message)
        } catch .authenticationFailed {
            throw .accessoryNotAuthentic
        }
    }
}
