public import HomeKitPairing
internal import MediaTime
internal import RTSP
internal import Synchronization

/// What all connections of one speaker share about pairing: who it is, whom it knows, and how often one has guessed.
public final class PairingDesk: Sendable {
    fileprivate let identity: PairingIdentity
    fileprivate let controllers: PairedControllers
    fileprivate let password: String?
    fileprivate let offersPIN: Bool
    fileprivate let attempts = Mutex(PairingAttempts())
    fileprivate let display = Mutex(PINDisplay())

    /// - Parameters:
    ///   - password: For transient pairing; `nil` is the one that all senders know.
    ///   - offersPIN: Whether a controller must become known, with a PIN that the speaker shows; then there is no
    ///     transient pairing.
    public init(
        identity: PairingIdentity, controllers: PairedControllers, password: String?, offersPIN: Bool
    ) {
        self.identity = identity
        self.controllers = controllers
        self.password = password
        self.offersPIN = offersPIN
    }

    /// The pairing of a new connection.
    public func makePairing() -> any PairingService { SpeakerPairing(desk: self) }
}

/// Pairing at one connection: transient, with a PIN, and verification of whom the speaker knows.
struct SpeakerPairing: PairingService {
    private let desk: PairingDesk
    private var setup: PairSetupAccessory
    private var verify: PairVerifyAccessory
    private let time: PairingTime
    /// Whether `/pair-…` of the known may be answered: set by a verified controller.
    private var controller: PairedPeer?

    init(desk: PairingDesk) {
        let time = PairingTime()
        (self.desk, self.time) = (desk, time)
        let lasting = PairSetupAccessory.Lasting(identity: desk.identity) { [desk, time] in
            desk.display.withLock { $0.pin(at: time.now).pin }
        }
        setup = PairSetupAccessory(
            password: desk.offersPIN ? nil : desk.password ?? PairSetup.transientPassword,
            lasting: desk.offersPIN ? lasting : nil)
        verify = PairVerifyAccessory(identity: desk.identity) { [desk] in desk.controllers[$0] }
    }

    mutating func receive(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer {
        time.set(now)
        switch request.path {
        case "/pair-setup": return receiveSetup(request.body)
        case "/pair-verify": return receiveVerify(request.body)
        case "/pair-pin-start":
            var answer = PairingAnswer(RTSPResponse())
            // A transient pairing needs none, and a stranger is not to fill the display of others.
            if desk.offersPIN { answer.pin = desk.display.withLock { $0.pin(at: time.now).pin } }
            return answer
        case "/pair-add", "/pair-remove", "/pair-list": return receivePairings(request.body)
        default: return PairingAnswer(RTSPResponse(.notImplemented))
        }
    }

    private mutating func receiveSetup(_ body: [UInt8]) -> PairingAnswer {
        let step = desk.attempts.withLock { setup.receive(body, at: time.now, counting: &$0) }
        switch step {
        case .send(let reply):
            var answer = PairingAnswer(body: reply)
            // The same as before while it counts; shown again for a sender that did not ask to show it.
            if isLasting(body) { answer.pin = desk.display.withLock { $0.pin(at: time.now).pin } }
            return answer
        case .paired(let reply, let secret): return PairingAnswer(body: reply, secret: secret)
        case .introduced(let reply, let peer): return keep(peer, body: body, reply: reply)
        case .refused(let reply, _): return ending(PairingAnswer(body: reply))
        }
    }

    /// Whether a request begins a pairing with a PIN.
    private func isLasting(_ body: [UInt8]) -> Bool {
        guard desk.offersPIN, let message = try? TLV8(exactly: body), message[.state] == [1] else {
            return false
        }
        return (message[.flags]?.first ?? 0) & 0x10 == 0
    }

    /// The PIN has been tried, and counts no more.
    private func ending(_ answer: PairingAnswer) -> PairingAnswer {
        desk.display.withLock { $0.end() }
        var answer = answer
        answer.endsPIN = true
        return answer
    }

    private mutating func keep(_ peer: PairedPeer, body: [UInt8], reply: [UInt8]) -> PairingAnswer {
        do throws(PairingError) {
            try desk.controllers.add(peer)
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
            controller = peer
            return PairingAnswer(body: reply, secret: secret)
        }
    }

    /// Only for a controller that has been verified.
    private func receivePairings(_ body: [UInt8]) -> PairingAnswer {
        guard controller != nil else { return PairingAnswer(RTSPResponse(.connectionAuthorizationRequired)) }
        do throws(PairingError) {
            switch try PairingsRequest(body) {
            case .add(let peer, _): try desk.controllers.add(peer)
            case .remove(let identifier): desk.controllers.remove(identifier)
            case .list: return PairingAnswer(body: PairingsRequest.listing(desk.controllers.all))
            }
            return PairingAnswer(body: PairingsRequest.done)
        } catch {
            return PairingAnswer(body: PairingsRequest.refusal(because: error))
        }
    }
}

/// When the request that is being answered came.
private final class PairingTime: Sendable {
    private let time = Mutex(Duration.zero)

    var now: Duration { time.withLock { $0 } }

    func set(_ now: HostTime) { time.withLock { $0 = .nanoseconds(now.nanoseconds) } }
}
