/// The value of ``TLV8Tag/error``.
///
/// Source: HomeKit Accessory Protocol, error codes.
package struct PairingErrorCode: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    package let rawValue: UInt8

    /// Creates a code from its byte on the wire.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Any error without a code of its own.
    package static let unknown = PairingErrorCode(rawValue: 1)
    /// A proof or a signature is wrong.
    package static let authentication = PairingErrorCode(rawValue: 2)
    /// Wait for the retry delay.
    package static let backOff = PairingErrorCode(rawValue: 3)
    /// No room for another paired controller.
    package static let maximumPeers = PairingErrorCode(rawValue: 4)
    /// Too many wrong attempts.
    package static let maximumTries = PairingErrorCode(rawValue: 5)
    /// The procedure is not offered.
    package static let unavailable = PairingErrorCode(rawValue: 6)
    /// Another controller is pairing.
    package static let busy = PairingErrorCode(rawValue: 7)
}

extension PairingError {
    /// Converts an error value of a peer.
    init(code: PairingErrorCode, retryDelaySeconds: UInt64?) {
        switch code {
        case .authentication: self = .authenticationFailed
        case .backOff: self = .backOff(seconds: retryDelaySeconds)
        case .maximumPeers: self = .tooManyPeers
        case .maximumTries: self = .tooManyTries
        case .unavailable: self = .unavailable
        case .busy: self = .busy
        default: self = .refused(code: code.rawValue)
        }
    }

    /// The error value to send to the peer.
    var code: PairingErrorCode {
        switch self {
        case .authenticationFailed, .accessoryNotAuthentic, .invalidPublicKey: .authentication
        case .backOff: .backOff
        case .tooManyPeers: .maximumPeers
        case .tooManyTries: .maximumTries
        case .unavailable, .unsupportedProcedure: .unavailable
        case .busy: .busy
        case .refused(let code): PairingErrorCode(rawValue: code)
        case .emptyBody, .malformed, .missing, .unexpectedState, .notInProgress: .unknown
        }
    }
}
