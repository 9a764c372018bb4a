import HomeKitPairing
import TuttiCryptography
import TuttiMediaTime
import TuttiRTSP

/// The pairing procedures of one connection: takes requests, and gives answers and finally a secret.
///
/// A value. Receives `/pair-setup`, `/pair-verify` and `/pair-pin-start` from strangers, and also the other
/// `/pair-…` paths from paired senders.
package protocol PairingService: Sendable {
    /// Answers a pairing request, received at host time `now`.
    mutating func receive(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer

    /// Decides whether a request other than pairing must prove a password first, whether its sender has
    /// paired or not.
    ///
    /// - Returns: A 401 response with a challenge; `nil` if the request may proceed to the session's own
    ///   rules.
    mutating func challenge(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer?

    /// Decides whether an AirPlay 1 sender, which cannot pair, may play. Called with each of its requests.
    ///
    /// - Returns: `nil` if the sender may; 401 with a challenge if a password is missing; another refusal if
    ///   only pairing would do.
    mutating func admitAirPlay1(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer?
}

extension PairingService {
    package mutating func challenge(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer? { nil }

    /// Refuses: who does not pair does not play, unless a service says otherwise.
    package mutating func admitAirPlay1(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer? {
        PairingAnswer(RTSPResponse(.connectionAuthorizationRequired))
    }
}

/// The result of a pairing request.
package struct PairingAnswer: Sendable {
    /// The response to send.
    package var response: RTSPResponse
    /// The secret from which to derive the keys of everything after the response.
    package var secret: SharedSecret?
    /// A PIN to show.
    package var pin: String?
    /// Whether the PIN need not be shown any longer.
    package var endsPIN = false
    /// Whether the sender tried a wrong password or PIN.
    package var isWrongSecret = false

    /// Creates an answer from a response.
    package init(_ response: RTSPResponse, secret: SharedSecret? = nil, pin: String? = nil) {
        self.response = response
        self.secret = secret
        self.pin = pin
    }

    /// Creates an answer with a TLV8 body.
    package init(body: [UInt8], secret: SharedSecret? = nil) {
        self.init(RTSPResponse(contentType: "application/octet-stream", body: body), secret: secret)
    }
}

/// Transient pairing alone, with the well-known password or the user's. `/pair-verify` knows no controller.
/// Admits AirPlay 1 senders only without a password.
package struct TransientPairing: PairingService {
    private var setup: PairSetupAccessory
    private let hasPassword: Bool

    /// - Parameter password: `nil` for the well-known password.
    package init(password: String? = nil) {
        setup = PairSetupAccessory(password: password ?? PairSetup.transientPassword)
        hasPassword = password != nil
    }

    package mutating func admitAirPlay1(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer? {
        hasPassword ? PairingAnswer(RTSPResponse(.connectionAuthorizationRequired)) : nil
    }

    package mutating func receive(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer {
        switch request.path {
        case "/pair-setup": return step(setup.receive(request.body))
        case "/pair-verify": return PairingAnswer(body: Self.unknownController(request.body))
        case "/pair-pin-start": return PairingAnswer(RTSPResponse())
        default: return PairingAnswer(RTSPResponse(.notImplemented))
        }
    }

    private func step(_ step: PairSetupAccessory.Step) -> PairingAnswer {
        switch step {
        case .send(let body), .refused(let body, _), .introduced(let body, _): PairingAnswer(body: body)
        case .paired(let body, let secret): PairingAnswer(body: body, secret: secret)
        }
    }

    /// Returns the answer n + 1 to message n, with the error "authentication"; 2 to a message without a number.
    private static func unknownController(_ body: [UInt8]) -> [UInt8] {
        let state = (try? TLV8(exactly: body))?[.state]?.first ?? 1
        return TLV8([
            .init(.state, [state &+ 1]), .init(.error, [PairingErrorCode.authentication.rawValue]),
        ]).encoded
    }
}
