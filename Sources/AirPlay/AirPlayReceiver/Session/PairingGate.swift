import HomeKitPairing
import TuttiMediaTime
import TuttiRTSP

/// The gate of a control connection: pairing, and the requests that need it.
struct PairingGate: Sendable {
    private(set) var pairing: any PairingService
    private let wantsPIN: Bool
    /// The secret of the pairing; `nil` before it.
    private(set) var secret: SharedSecret?

    init(pairing: any PairingService, wantsPIN: Bool) {
        (self.pairing, self.wantsPIN) = (pairing, wantsPIN)
    }

    /// Returns the tasks that refuse a request; `nil` if the request may proceed.
    mutating func refusal(of request: RTSPRequest, at now: HostTime) -> [ReceiverSession.Output]? {
        if Self.isForStrangers(request) { return nil }
        if let challenge = pairing.challenge(request, at: now) {
            return (challenge.isWrongSecret ? [.turnedAway(.wrongSecret)] : [])
                + [.answer(challenge.response.signed)]
        }
        if secret != nil { return nil }
        return [.answer(RTSPResponse(wantsPIN ? .connectionAuthorizationRequired : .forbidden).signed)]
    }

    private static func isForStrangers(_ request: RTSPRequest) -> Bool {
        switch (request.method, request.path) {
        case (.options, _), (.get, "/info"), (.post, "/pair-setup"), (.post, "/pair-verify"),
            (.post, "/pair-pin-start"), (.post, "/auth-setup"), (.post, "/fp-setup"):
            true
        default: false
        }
    }

    /// Returns the tasks that answer a pairing request.
    mutating func pair(_ request: RTSPRequest, at now: HostTime) -> [ReceiverSession.Output] {
        let step = pairing.receive(request, at: now)
        var outputs: [ReceiverSession.Output] = []
        if let pin = step.pin { outputs.append(.event(.pin(pin))) }
        if step.endsPIN { outputs.append(.event(.pin(nil))) }
        if step.isWrongSecret { outputs.append(.turnedAway(.wrongSecret)) }
        // Encryption starts only once.
        guard let secret = step.secret, self.secret == nil else {
            return outputs + [.answer(step.response.signed)]
        }
        self.secret = secret
        return outputs + [.answerThenEncrypt(step.response.signed, secret)]
    }
}
