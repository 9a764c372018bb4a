import HomeKitPairing
import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// The pairing state that all connections of one speaker share: identity, paired controllers and failed
/// guesses.
package final class PairingContext: Sendable {
    fileprivate let identity: PairingIdentity
    fileprivate let controllers: PairedControllers
    fileprivate let password: String?
    fileprivate let offersPIN: Bool
    fileprivate let guesses = Mutex(PairingGuesses())
    fileprivate let display = Mutex(PINDisplay())
    private let fallbacks = Mutex(DigestFallbacks())

    /// - Parameters:
    ///   - password: The secret of transient pairing, of permanent pairing and of HTTP Digest; `nil` lets
    ///     everybody pair with the well-known secret.
    ///   - offersPIN: Whether a controller must pair permanently with a PIN that the speaker shows; this
    ///     disables transient pairing.
    package init(
        identity: PairingIdentity, controllers: PairedControllers, password: String?, offersPIN: Bool
    ) {
        self.identity = identity
        self.controllers = controllers
        self.password = password
        self.offersPIN = offersPIN
    }

    /// Creates the pairing procedures of a new connection from this address.
    package func makePairing(_ sender: SocketAddress? = nil) -> any PairingService {
        SpeakerPairing(context: self, sender: sender?.address)
    }

    /// Returns whether the next transient pairing from this address uses the well-known secret, and clears
    /// that.
    fileprivate func takeFallback(_ sender: IPAddress?, at now: Duration) -> Bool {
        sender.map { sender in fallbacks.withLock { $0.take(sender, at: now) } } ?? false
    }

    fileprivate func addFallback(_ sender: IPAddress?, at now: Duration) {
        if let sender { fallbacks.withLock { $0.add(sender, at: now) } }
    }
}

/// Addresses whose transient pairing with the password as the secret has just failed.
///
/// Some senders pair with the password. Others pair with the well-known secret and then prove the password by
/// HTTP Digest at SETUP. A server has to choose the secret before the sender shows which it uses. The speaker
/// therefore expects the password first, and the well-known secret in an attempt that follows at once.
struct DigestFallbacks: Sendable {
    /// Time in which a program retries automatically. A person needs longer to type another password.
    static let window = Duration.seconds(3)
    static let limit = 64

    private var failures: [IPAddress: Duration] = [:]

    mutating func add(_ sender: IPAddress, at now: Duration) {
        failures = failures.filter { now - $0.value < Self.window }
        if failures.count < Self.limit { failures[sender] = now }
    }

    mutating func take(_ sender: IPAddress, at now: Duration) -> Bool {
        failures.removeValue(forKey: sender).map { now - $0 < Self.window } ?? false
    }
}

/// The pairing procedures of one connection: transient, with a PIN, and verification of known controllers.
struct SpeakerPairing: PairingService {
    private let context: PairingContext
    private var setup: PairSetupAccessory
    private var verify: PairVerifyAccessory
    private let time: PairingTime
    /// The verified controller; only with one are `/pair-add`, `/pair-remove` and `/pair-list` allowed.
    private var controller: PairedPeer?
    private let sender: IPAddress?
    /// The challenges of the password, each with the realm that senders of its kind know.
    private let digest: DigestChallenge?
    private let digestAirPlay1: DigestChallenge?
    /// Whether the sender has proved the password, the PIN or its stored keys, or none is required.
    private var isAuthorized: Bool
    /// Whether the current attempt is transient with the well-known secret.
    private var isFallback = false
    private var isTransient = false

    init(context: PairingContext, sender: IPAddress?) {
        let time = PairingTime()
        (self.context, self.time, self.sender) = (context, time, sender)
        let password = context.offersPIN ? nil : context.password
        digest = password.map { DigestChallenge(password: Array($0.utf8), realm: "airplay") }
        digestAirPlay1 = password.map { DigestChallenge(password: Array($0.utf8), realm: "raop") }
        isAuthorized = digest == nil
        setup = Self.setup(context, time, transientSecret: password ?? PairSetup.transientPassword)
        verify = PairVerifyAccessory(identity: context.identity) { [context] in context.controllers[$0] }
    }

    private static func setup(
        _ context: PairingContext, _ time: PairingTime, transientSecret: String
    ) -> PairSetupAccessory {
        let lasting = PairSetupAccessory.Lasting(identity: context.identity) { [context, time] in
            context.offersPIN ? context.display.withLock { $0.pin(at: time.now).pin } : context.password
        }
        return PairSetupAccessory(
            password: context.offersPIN ? nil : transientSecret,
            lasting: context.offersPIN || context.password != nil ? lasting : nil)
    }

    mutating func receive(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer {
        time.set(now)
        switch request.path {
        case "/pair-setup": return receiveSetup(request.body)
        case "/pair-verify": return receiveVerify(request.body)
        case "/pair-pin-start":
            var answer = PairingAnswer(RTSPResponse())
            // Transient pairing needs no PIN, and a stranger must not make the speaker show one.
            if context.offersPIN { answer.pin = context.display.withLock { $0.pin(at: time.now).pin } }
            return answer
        case "/pair-add", "/pair-remove", "/pair-list": return receivePairings(request.body)
        default: return PairingAnswer(RTSPResponse(.notImplemented))
        }
    }

    mutating func challenge(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer? {
        guard let digest else { return nil }
        return check(request, digest, at: now)
    }

    mutating func admitAirPlay1(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer? {
        // An AirPlay 1 sender has no way to give a PIN.
        guard !context.offersPIN else { return PairingAnswer(RTSPResponse(.connectionAuthorizationRequired)) }
        guard let digestAirPlay1 else { return nil }
        return check(request, digestAirPlay1, at: now)
    }

    private mutating func check(
        _ request: RTSPRequest, _ digest: DigestChallenge, at now: HostTime
    ) -> PairingAnswer? {
        guard !isAuthorized else { return nil }
        time.set(now)
        var answer = PairingAnswer(digest.response)
        let now = time.now
        let refusal = context.guesses.withLock { $0.count(of: sender) { $0.refusal(at: now) } }
        // Ignore guesses while the sender has to back off.
        guard refusal == nil else { return answer }
        switch digest.check(request) {
        case .right:
            context.guesses.withLock { $0.count(of: sender) { $0.succeed(at: now) } }
            isAuthorized = true
            return nil
        case .wrong:
            context.guesses.withLock { $0.count(of: sender) { $0.fail(at: now) } }
            answer.isWrongSecret = true
        case .missing: break
        }
        return answer
    }

    private mutating func receiveSetup(_ body: [UInt8]) -> PairingAnswer {
        begin(body)
        let now = time.now
        var step = context.guesses.withLock { guesses in
            guesses.count(of: sender) { setup.receive(body, at: now, counting: &$0) }
        }
        if isFallback, case .refused(_, because: .authenticationFailed) = step {
            // The password may have been right: only another attempt can show that.
            step = setup.refuse(body, because: .backOff(seconds: 1))
        }
        switch step {
        case .send(let reply):
            var answer = PairingAnswer(body: reply)
            // The same PIN while it is valid; shown again for a sender that did not send `/pair-pin-start`.
            if isLasting(body) { answer.pin = context.display.withLock { $0.pin(at: time.now).pin } }
            return answer
        case .paired(let reply, let secret):
            if !isFallback { isAuthorized = true }
            return PairingAnswer(body: reply, secret: secret)
        case .introduced(let reply, let peer): return keep(peer, body: body, reply: reply)
        case .refused(let reply, because: let error): return refuse(reply, because: error)
        }
    }

    /// Notes the kind of attempt that a first message begins.
    private mutating func begin(_ body: [UInt8]) {
        guard let message = try? TLV8(exactly: body), message[.state] == [1] else { return }
        isTransient = (message[.flags]?.first ?? 0) & 0x10 != 0
        guard let password = context.password, !context.offersPIN, isTransient, !setup.hasPaired else {
            return
        }
        isFallback = context.takeFallback(sender, at: time.now)
        setup = Self.setup(
            context, time, transientSecret: isFallback ? PairSetup.transientPassword : password)
    }

    /// Refuses a pairing attempt: transient pairing by status 470 as Apple TVs do, permanent pairing by its
    /// body. Some senders check only the status of a refused transient pairing and would continue with keys
    /// that the speaker does not have (*observed*: pyatv 0.18).
    private mutating func refuse(_ reply: [UInt8], because error: PairingError) -> PairingAnswer {
        var answer = PairingAnswer(body: reply)
        answer.isWrongSecret = error.isWrongGuess
        if isTransient {
            answer.response.status = .connectionAuthorizationRequired
            answer.response.reason = RTSPStatus.connectionAuthorizationRequired.reason
            if answer.isWrongSecret, !isFallback { context.addFallback(sender, at: time.now) }
        }
        // A malformed message is no attempt and must not end the PIN that another user is typing.
        guard error.isWrongGuess, !isTransient, context.offersPIN else { return answer }
        // Senders ask for another PIN of the user without asking the speaker for it: the shown one stays, or the
        // next one is shown at once.
        let (pin, isNew) = context.display.withLock { display in
            display.guessWrong()
            return display.pin(at: time.now)
        }
        if isNew { answer.pin = pin }
        return answer
    }

    /// Whether a request begins a pairing with a PIN.
    private func isLasting(_ body: [UInt8]) -> Bool {
        guard context.offersPIN, let message = try? TLV8(exactly: body), message[.state] == [1] else {
            return false
        }
        return (message[.flags]?.first ?? 0) & 0x10 == 0
    }

    /// Invalidates the PIN after an attempt.
    private func ending(_ answer: PairingAnswer) -> PairingAnswer {
        guard context.offersPIN else { return answer }
        context.display.withLock { $0.end() }
        var answer = answer
        answer.endsPIN = true
        return answer
    }

    private mutating func keep(_ peer: PairedPeer, body: [UInt8], reply: [UInt8]) -> PairingAnswer {
        do throws(PairingError) {
            // An evicted controller can pair again with the password, but not with a PIN that is no longer
            // shown.
            try context.controllers.add(peer, replacingOldest: !context.offersPIN)
            return ending(PairingAnswer(body: reply))
        } catch {
            guard case .refused(let refusal, _) = setup.refuse(body, because: error) else {
                return ending(PairingAnswer(RTSPResponse(.internalServerError)))
            }
            return ending(PairingAnswer(body: refusal))
        }
    }

    private mutating func receiveVerify(_ body: [UInt8]) -> PairingAnswer {
        switch verify.receive(body) {
        case .send(let reply), .refused(let reply, _): return PairingAnswer(body: reply)
        case .verified(let reply, let secret, let peer):
            (controller, isAuthorized) = (peer, true)
            return PairingAnswer(body: reply, secret: secret)
        }
    }

    /// Handles `/pair-add`, `/pair-remove` and `/pair-list`, for a verified controller only.
    private func receivePairings(_ body: [UInt8]) -> PairingAnswer {
        guard controller != nil else { return PairingAnswer(RTSPResponse(.connectionAuthorizationRequired)) }
        do throws(PairingError) {
            switch try PairingsRequest(body) {
            case .add(let peer, _): try context.controllers.add(peer)
            case .remove(let identifier): context.controllers.remove(identifier)
            case .list: return PairingAnswer(body: PairingsRequest.listing(context.controllers.all))
            }
            return PairingAnswer(body: PairingsRequest.done)
        } catch {
            return PairingAnswer(body: PairingsRequest.refusal(because: error))
        }
    }
}

/// The arrival time of the request in progress.
private final class PairingTime: Sendable {
    private let time = Mutex(Duration.zero)

    var now: Duration { time.withLock { $0 } }

    func set(_ now: HostTime) { time.withLock { $0 = .nanoseconds(now.nanoseconds) } }
}
