import AirPlayMessages
import HomeKitPairing
import TuttiRTSP

/// The way of a sender into a speaker that has described itself, without its socket: answers go in; requests,
/// new connections and finally the secret of the encrypted connection, or a failure, come out.
///
/// Chooses among pair-verify with kept credentials, transient pairing with the user's password, and transient
/// pairing with the well-known secret; ``ways`` are the order. A wrong attempt makes its connection useless, so
/// each further way has a new one. A refusal that the speaker has sent decides; silence and a lost connection
/// are no answers, and end the attempt elsewhere.
///
/// Opens no socket and reads no clock; draws the random numbers of pairing. After every call, carry out the
/// steps in order.
struct SpeakerAccess: Sendable {
    /// Our identity, and a speaker that knows it.
    struct Credentials: Sendable {
        let identity: PairingIdentity
        let speaker: PairedSpeaker
    }

    /// The next actions of the caller.
    enum Step: Sendable {
        /// Send this request, and pass its answer to ``SpeakerAccess/receive(_:)``.
        case send(RTSPRequest)
        /// Close the connection and open another one, then call ``SpeakerAccess/connected()``.
        case reconnect
        /// Erase the credentials of this speaker, which has refused them.
        case forget(PairedSpeaker)
        /// Encrypt the connection from the next byte on. The last step.
        case admitted(SharedSecret)
        /// The last step.
        case failed(SpeakerFailure)
    }

    /// The secret of a transient pairing.
    enum TransientSecret: Equatable, Sendable {
        case password(String)
        case wellKnown

        fileprivate var text: String {
            switch self {
            case .password(let password): password
            case .wellKnown: PairSetup.transientPassword
            }
        }
    }

    /// One attempt to get in.
    enum Way: Sendable {
        case verify(Credentials, PairedPeer)
        case transient(TransientSecret)
    }

    /// A refusal, in the status of an answer or in its body.
    private enum Refusal {
        case status(RTSPResponse)
        case error(PairingError)
    }

    private enum Phase: Sendable {
        case idle
        case verifying(Credentials, PairVerifyController, VerifyMessage)
        case pairing(TransientSecret, PairSetupController)
        case reconnecting
        case over
    }

    /// The message of pair-verify whose answer is awaited.
    private enum VerifyMessage {
        case start
        /// The speaker has proven who it is, so its refusal is genuine.
        case finish
    }

    private let target: SpeakerTarget
    private let receiver: ReceiverDescription
    private var ways: ArraySlice<Way>
    private var phase = Phase.idle

    /// - Parameters:
    ///   - target: Has the user's password.
    ///   - credentials: The kept credentials for the speaker; `nil` if there are none.
    init(_ target: SpeakerTarget, _ receiver: ReceiverDescription, credentials: Credentials?) {
        (self.target, self.receiver) = (target, receiver)
        ways = Self.ways(receiver.pairingNeed, password: target.password, credentials)[...]
    }

    /// Creates an access by kept credentials only.
    init(_ target: SpeakerTarget, verifying credentials: Credentials) {
        (self.target, receiver) = (target, ReceiverDescription())
        ways = Self.verify(credentials)[...]
    }

    /// The way in with kept credentials; none with those of an Apple TV before HomeKit, which are for AirPlay 1.
    private static func verify(_ credentials: Credentials) -> [Way] {
        credentials.speaker.accessory.map { [.verify(credentials, $0)] } ?? []
    }

    /// Returns the ways in, in their order; empty if something is needed from the user first.
    ///
    /// With a password: the password as the secret of transient pairing, then the credentials, or else the
    /// well-known secret, after which the session SETUP may be answered 401 (see ``DigestAccess``).
    private static func ways(
        _ need: ReceiverDescription.PairingNeed, password: String?, _ credentials: Credentials?
    ) -> [Way] {
        let verify = credentials.map(Self.verify).flatMap { $0.isEmpty ? nil : $0 }
        switch (need, password) {
        case (.pin, _): return verify ?? []
        case (_, let password?):
            return [.transient(.password(password))] + (verify ?? [.transient(.wellKnown)])
        case (.password, nil): return verify ?? []
        case (.transient, nil), (.notNeeded, nil): return (verify ?? []) + [.transient(.wellKnown)]
        }
    }

    /// Begins. Call it once.
    mutating func begin() -> [Step] {
        guard case .idle = phase else { return [] }
        guard !ways.isEmpty else {
            return fail(receiver.pairingNeed == .pin ? refusals.pinNeeded : refusals.passwordNeeded)
        }
        return startNextWay()
    }

    /// Continues on the new connection.
    mutating func connected() -> [Step] {
        guard case .reconnecting = phase else { return [] }
        return startNextWay()
    }

    /// Processes the answer to the last request.
    mutating func receive(_ response: RTSPResponse) -> [Step] {
        switch phase {
        case .idle, .reconnecting, .over: return []
        case .verifying(let credentials, let controller, let message):
            return verify(credentials, controller, message, response)
        case .pairing(let secret, let controller): return pair(secret, controller, response)
        }
    }

    private var refusals: HandshakeRefusals { HandshakeRefusals(target) }

    private mutating func fail(_ failure: SpeakerFailure) -> [Step] {
        phase = .over
        return [.failed(failure)]
    }

    private mutating func startNextWay() -> [Step] {
        switch ways.popFirst() {
        case nil: return fail(refusals.passwordNeeded)
        case .verify(let credentials, let accessory):
            var controller = PairVerifyController(identity: credentials.identity, accessory: accessory)
            let body = controller.start()
            phase = .verifying(credentials, controller, .start)
            return [.send(.pairing("/pair-verify", .lasting, body))]
        case .transient(let secret):
            var controller = PairSetupController(password: secret.text)
            let body = controller.start()
            phase = .pairing(secret, controller)
            return [.send(.pairing("/pair-setup", .transient, body))]
        }
    }

    /// Goes the next way on a new connection; fails with this reason if there is none.
    private mutating func continueAfter(_ failure: SpeakerFailure) -> [Step] {
        guard !ways.isEmpty else { return fail(failure) }
        phase = .reconnecting
        return [.reconnect]
    }

    // MARK: Pair-verify

    private mutating func verify(
        _ credentials: Credentials, _ controller: PairVerifyController, _ message: VerifyMessage,
        _ response: RTSPResponse
    ) -> [Step] {
        if response.isBareRefusal { return refuse(.status(response), credentials, message) }
        var controller = controller
        do throws(PairingError) {
            switch try controller.receive(response.body) {
            case .send(let body):
                guard response.status.isSuccess else {
                    return refuse(.status(response), credentials, message)
                }
                phase = .verifying(credentials, controller, .finish)
                return [.send(.pairing("/pair-verify", .lasting, body))]
            case .verified(let secret):
                phase = .over
                return [.admitted(secret)]
            }
        } catch {
            return refuse(
                response.status.isSuccess || error.isDecisive ? .error(error) : .status(response),
                credentials, message)
        }
    }

    /// Erases the credentials only if the speaker itself says that it does not know us: others on the network
    /// can refuse, too, but cannot prove to be the speaker.
    private mutating func refuse(
        _ refusal: Refusal, _ credentials: Credentials, _ message: VerifyMessage
    ) -> [Step] {
        switch (refusal, message) {
        case (.error(.authenticationFailed), .finish):
            return [.forget(credentials.speaker)] + continueAfter(refusals.unknownThere)
        case (.status(let response), .finish) where response.status == .connectionAuthorizationRequired:
            return [.forget(credentials.speaker)] + continueAfter(refusals.unknownThere)
        case (.error(.authenticationFailed), .start), (.error(.accessoryNotAuthentic), _):
            return fail(refusals.otherDevice)
        case (.error(let error), _): return fail(refusals.pairing(error))
        case (.status(let response), _): return fail(refusals.pairing(response))
        }
    }

    // MARK: Transient pairing

    private mutating func pair(
        _ secret: TransientSecret, _ controller: PairSetupController, _ response: RTSPResponse
    ) -> [Step] {
        if response.isBareRefusal { return refuse(.status(response), secret) }
        var controller = controller
        do throws(PairingError) {
            switch try controller.receive(response.body) {
            case .send(let body):
                guard response.status.isSuccess else { return refuse(.status(response), secret) }
                phase = .pairing(secret, controller)
                return [.send(.pairing("/pair-setup", .transient, body))]
            case .paired(let secret):
                phase = .over
                return [.admitted(secret)]
            }
        } catch {
            return refuse(
                response.status.isSuccess || error.isDecisive ? .error(error) : .status(response), secret)
        }
    }

    /// Some speakers with a password let in by the well-known secret only, and some by kept credentials only.
    private mutating func refuse(_ refusal: Refusal, _ secret: TransientSecret) -> [Step] {
        switch (refusal, secret) {
        case (.error(.authenticationFailed), .password), (.error(.unavailable), .password):
            return continueAfter(failure(refusal))
        case (.status(let response), .password)
        where response.status == .connectionAuthorizationRequired || response.status == .forbidden:
            return continueAfter(failure(refusal))
        default: return fail(failure(refusal))
        }
    }

    private func failure(_ refusal: Refusal) -> SpeakerFailure {
        switch refusal {
        case .error(let error): refusals.pairing(error)
        case .status(let response): refusals.pairing(response, of: receiver)
        }
    }
}

/// The answers to 401 on one connection: the password by HTTP Digest.
struct DigestAccess: Sendable {
    /// The action after an answer 401.
    enum Step: Equatable, Sendable {
        /// Send the request again, and this with all requests from here on.
        case authorize(DigestCredentials)
        case needed
        case wrong
    }

    private let password: String?
    private var tries = 0

    /// The limit of answers on one connection, because a challenge can expire.
    private static let tryLimit = 3

    init(password: String?) { self.password = password }

    /// - Parameter response: The answer 401.
    mutating func receive(_ response: RTSPResponse) -> Step {
        guard let password else { return .needed }
        let challenges = response.headers.values(of: DigestCredentials.challengeHeader)
        let credentials = challenges.lazy.compactMap { DigestCredentials(challenge: $0, password: password) }
        guard let first = credentials.first else { return tries == 0 ? .needed : .wrong }
        guard tries == 0 || (first.isRenewal && tries < Self.tryLimit) else { return .wrong }
        tries += 1
        return .authorize(first)
    }
}

extension PairingError {
    /// Whether the error says more than the status of its answer.
    fileprivate var isDecisive: Bool {
        switch self {
        case .authenticationFailed, .backOff, .tooManyTries: true
        default: false
        }
    }
}

extension RTSPResponse {
    /// Whether only the status says why a request was refused. Receivers differ in whether a refusal in the
    /// body has an error status, too; the body says more.
    fileprivate var isBareRefusal: Bool { !status.isSuccess && body.isEmpty }
}

extension RTSPRequest {
    /// The kinds of pairing, as the header `X-Apple-HKP` numbers them.
    enum PairingKind: String {
        /// With a PIN, and everything by stored keys.
        case lasting = "3"
        case transient = "4"
    }

    /// Creates a request of the pairing of Apple TVs before HomeKit.
    static func fruit(_ message: FruitPairingMessage) -> RTSPRequest {
        let type = FruitPairingMessage.contentType
        return RTSPRequest(.post, "/pair-setup-pin", contentType: type, body: message.body)
    }

    /// Creates a request of pairing.
    static func pairing(_ path: String, _ kind: PairingKind, _ body: [UInt8]) -> RTSPRequest {
        var request = RTSPRequest(.post, path, contentType: "application/octet-stream", body: body)
        request.headers["X-Apple-HKP"] = kind.rawValue
        return request
    }
}
