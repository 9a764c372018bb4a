internal import Cryptography
public import HomeKitPairing
public import MediaTime
public import RTSP

/// The pairing procedures of one connection: requests in, answers and at last a secret out.
///
/// A value; it is given `/pair-setup`, `/pair-verify` and `/pair-pin-start` from strangers, and also the other
/// `/pair-…` paths from those who have paired.
public protocol PairingService: Sendable {
    mutating func receive(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer

    /// Decides whether a request other than pairing, of a paired sender or a stranger, must prove a password first.
    ///
    /// - Returns: The answer, 401 with a challenge; `nil` when the request may go on to the session's own rules.
    mutating func challenge(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer?
}

extension PairingService {
    public mutating func challenge(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer? { nil }
}

/// What a request of pairing leads to.
public struct PairingAnswer: Sendable {
    public var response: RTSPResponse
    /// Everything behind the answer is encrypted with keys from this.
    public var secret: SharedSecret?
    /// A PIN to be shown.
    public var pin: String?
    /// The PIN need not be shown any more.
    public var endsPIN = false
    /// The sender tried a wrong password or PIN.
    public var isWrongSecret = false

    public init(_ response: RTSPResponse, secret: SharedSecret? = nil, pin: String? = nil) {
        self.response = response
        self.secret = secret
        self.pin = pin
    }

    /// An answer with a body of typed values.
    public init(body: [UInt8], secret: SharedSecret? = nil) {
        self.init(RTSPResponse(contentType: "application/octet-stream", body: body), secret: secret)
    }
}

/// Transient pairing alone, with the common password or the user's own. `/pair-verify` finds nobody known.
public struct TransientPairing: PairingService {
    private var setup: PairSetupAccessory

    /// - Parameter password: `nil` for the one that all senders know.
    public init(password: String? = nil) {
        setup = PairSetupAccessory(password: password ?? PairSetup.transientPassword)
    }

    public mutating func receive(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer {
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

    /// The answer to message n is n + 1, with the error "authentication".
    private static func unknownController(_ body: [UInt8]) -> [UInt8] {
        let state = (try? TLV8(exactly: body))?[.state]?.first ?? 1
        return TLV8([
            .init(.state, [state &+ 1]), .init(.error, [PairingErrorCode.authentication.rawValue]),
        ]).encoded
    }
}
