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
    fileprivate let pin = Mutex<String?>(nil)

    /// - Parameters:
    ///   - password: For transient pairing; `nil` is the one that all senders know.
    ///   - offersPIN: Whether a controller may become known with a PIN that the speaker shows.
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

    /// A new PIN for each attempt, as it is shown.
    fileprivate func drawPIN() -> String {
        let drawn = PairingPIN.random()
        pin.withLock { $0 = drawn }
        return drawn
    }
}

/// Pairing at one connection: transient, with a PIN, and verification of whom the speaker knows.
struct SpeakerPairing: PairingService {
    private let desk: PairingDesk
    private var setup: PairSetupAccessory
    private var verify: PairVerifyAccessory
    /// Whether `/pair-…` of the known may be answered: set by a verified controller.
    private var controller: PairedPeer?

    init(desk: PairingDesk) {
        self.desk = desk
        let lasting = PairSetupAccessory.Lasting(identity: desk.identity) { [desk] in desk.drawPIN() }
        setup = PairSetupAccessory(
            password: desk.password ?? PairSetup.transientPassword, lasting: desk.offersPIN ? lasting : nil)
        verify = PairVerifyAccessory(identity: desk.identity) { [desk] in desk.controllers[$0] }
    }

    mutating func receive(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer {
        switch request.path {
        case "/pair-setup": return receiveSetup(request.body, at: now)
        case "/pair-verify": return receiveVerify(request.body)
        case "/pair-pin-start": return PairingAnswer(RTSPResponse())
        case "/pair-add", "/pair-remove", "/pair-list": return receivePairings(request.body)
        default: return PairingAnswer(RTSPResponse(.notImplemented))
        }
    }

    private mutating func receiveSetup(_ body: [UInt8], at now: HostTime) -> PairingAnswer {
        desk.pin.withLock { $0 = nil }
        let step = desk.attempts.withLock {
            setup.receive(body, at: .nanoseconds(now.nanoseconds), counting: &$0)
        }
        switch step {
        case .send(let reply):
            var answer = PairingAnswer(body: reply)
            answer.pin = desk.pin.withLock { $0 }
            return answer
        case .paired(let reply, let secret):
            return PairingAnswer(body: reply, secret: secret)
        case .introduced(let reply, let peer): return keep(peer, body: body, reply: reply)
        case .refused(let reply, _):
            var answer = PairingAnswer(body: reply)
            answer.endsPIN = true
            return answer
        }
    }

    private mutating func keep(_ peer: PairedPeer, body: [UInt8], reply: [UInt8]) -> PairingAnswer {
        var answer: PairingAnswer
        do throws(PairingError) {
            try desk.controllers.add(peer)
            answer = PairingAnswer(body: reply)
        } catch {
            guard case .refused(let refusal, _) = setup.refuse(body, because: error) else {
                return PairingAnswer(RTSPResponse(.internalServerError))
            }
            answer = PairingAnswer(body: refusal)
        }
        answer.endsPIN = true
        return answer
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
