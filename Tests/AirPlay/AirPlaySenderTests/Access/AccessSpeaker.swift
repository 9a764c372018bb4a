import AirPlayMessages
import HomeKitPairing
import TuttiCryptography
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlaySender

/// A speaker in memory that lets senders in, or refuses them, in one of the ways of real speakers.
struct AccessSpeaker {
    /// How the speaker answers the first message of transient pairing.
    enum Transient: Sendable {
        case takes(String)
        case refuses(PairingError, RTSPStatus = .ok)
        case bareStatus(RTSPStatus)
        /// The connection ends without an answer.
        case hangsUp
    }

    /// How the speaker answers pair-verify.
    enum Verify: Sendable {
        case knows
        /// It proves its identity, then refuses.
        case unknown
        case bareStatus(RTSPStatus, atFinish: Bool)
        case refusesFinish(PairingError)
        /// Someone without the speaker's key.
        case impostor(refusesAtOnce: Bool)
        case hangsUp
    }

    static let identity = PairingIdentity(
        identifier: "0d1c5b6a-0000-4000-8000-000000000001", key: key(1))
    static let controller = PairingIdentity(
        identifier: "6F1C5B6A-0000-4000-8000-000000000002", key: key(2))
    static let paired = PairedSpeaker(
        id: "02:00:00:00:00:01", name: "Kitchen", accessory: identity.publicHalf)!
    static let credentials = SpeakerAccess.Credentials(identity: controller, speaker: paired)

    static func key(_ byte: UInt8) -> Ed25519SigningKey {
        try! Ed25519SigningKey([UInt8](repeating: byte, count: 32))
    }

    var transient: Transient
    var verify: Verify
    private var setup: PairSetupAccessory
    private var accessory: PairVerifyAccessory
    /// The secret of the speaker's end of an encrypted connection.
    private(set) var secret: SharedSecret?

    init(transient: Transient, verify: Verify) {
        (self.transient, self.verify) = (transient, verify)
        (setup, accessory) = (PairSetupAccessory(), PairVerifyAccessory(identity: Self.identity) { _ in nil })
        connect()
    }

    /// Begins a new connection.
    mutating func connect() {
        let password: String? = if case .takes(let password) = transient { password } else { nil }
        setup = PairSetupAccessory(password: password)
        let isImpostor = if case .impostor = verify { true } else { false }
        let known: Set<[UInt8]> =
            switch verify {
            case .knows, .impostor: [Self.controller.identifier]
            default: []
            }
        let identity =
            isImpostor
            ? PairingIdentity(identifier: "0d1c5b6a-0000-4000-8000-000000000001", key: Self.key(3))
            : Self.identity
        accessory = PairVerifyAccessory(identity: identity) { [controller = Self.controller.publicHalf] in
            known.contains($0) ? controller : nil
        }
    }

    /// - Returns: `nil` if the connection ends instead.
    mutating func answer(_ request: RTSPRequest) -> RTSPResponse? {
        request.path == "/pair-verify" ? answerVerify(request.body) : answerSetup(request.body)
    }

    private mutating func answerSetup(_ body: [UInt8]) -> RTSPResponse? {
        switch transient {
        case .hangsUp: return nil
        case .bareStatus(let status): return RTSPResponse(status)
        case .refuses(let error, let status):
            guard case .refused(let reply, _) = setup.refuse(body, because: error) else { return nil }
            return Self.response(reply, status)
        case .takes:
            switch setup.receive(body) {
            case .paired(let reply, let secret):
                self.secret = secret
                return Self.response(reply)
            case .send(let reply), .introduced(let reply, _), .refused(let reply, _):
                return Self.response(reply)
            }
        }
    }

    private mutating func answerVerify(_ body: [UInt8]) -> RTSPResponse? {
        let isFinish = (try? TLV8(exactly: body))?[.state] == [3]
        switch verify {
        case .hangsUp: return nil
        case .bareStatus(let status, let atFinish) where isFinish == atFinish: return RTSPResponse(status)
        case .refusesFinish(let error) where isFinish:
            guard case .refused(let reply, _) = accessory.refuse(body, because: error) else { return nil }
            return Self.response(reply)
        case .impostor(refusesAtOnce: true):
            guard case .refused(let reply, _) = accessory.refuse(body, because: .authenticationFailed) else {
                return nil
            }
            return Self.response(reply)
        default: break
        }
        switch accessory.receive(body) {
        case .send(let reply), .refused(let reply, _): return Self.response(reply)
        case .verified(let reply, let secret, _):
            self.secret = secret
            return Self.response(reply)
        }
    }

    private static func response(_ body: [UInt8], _ status: RTSPStatus = .ok) -> RTSPResponse {
        RTSPResponse(status, contentType: "application/octet-stream", body: body)
    }
}

/// A sender that gets into an ``AccessSpeaker``, and what happened.
struct AccessRun {
    /// The steps, as short words.
    private(set) var trace: [String] = []
    private(set) var secret: SharedSecret?
    private(set) var failure: SpeakerFailure?
    private(set) var forgotten: [PairedSpeaker] = []
    /// Whether the connection ended without an answer.
    private(set) var isUnanswered = false
    private(set) var requests: [RTSPRequest] = []

    init(
        _ speaker: inout AccessSpeaker, status: AirPlayStatusFlags = [], password: String? = nil,
        credentials: SpeakerAccess.Credentials? = nil
    ) {
        let target = SpeakerTarget(name: "Kitchen", addresses: [], password: password)
        let receiver = ReceiverDescription(info: HandshakeRun.info(status: status))
        var access = SpeakerAccess(target, receiver, credentials: credentials)
        var steps = access.begin()[...]
        while let step = steps.popFirst() {
            switch step {
            case .send(let request):
                requests.append(request)
                trace.append(String(request.path.dropFirst()))
                guard let answer = speaker.answer(request) else {
                    isUnanswered = true
                    return
                }
                steps += access.receive(answer)
            case .reconnect:
                trace.append("reconnect")
                speaker.connect()
                steps += access.connected()
            case .forget(let paired):
                trace.append("forget")
                forgotten.append(paired)
            case .admitted(let secret):
                trace.append("admitted")
                self.secret = secret
            case .failed(let failure):
                trace.append("failed")
                self.failure = failure
            }
        }
    }
}
