import TuttiCryptography

/// The role of one end of a pairing.
package enum PairingRole: Sendable, Hashable {
    /// The sender.
    case controller
    /// The receiver.
    case accessory
}

/// The secret that only both ends have after pairing: the root of all channel keys.
package struct SharedSecret: Sendable, Redacted {
    /// The length of the SRP session key of pair-setup, in bytes.
    package static let pairSetupByteCount = 64
    /// The length of the X25519 secret of pair-verify, in bytes.
    package static let pairVerifyByteCount = 32

    /// The secret itself; never for a log.
    package let bytes: [UInt8]

    /// Creates a secret from given bytes.
    ///
    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` unless there are 64 or 32 bytes.
    package init(_ bytes: [UInt8]) throws(CryptographyError) {
        guard bytes.count == Self.pairSetupByteCount || bytes.count == Self.pairVerifyByteCount else {
            throw .wrongByteCount(expected: Self.pairSetupByteCount, received: bytes.count)
        }
        self.bytes = bytes
    }

    /// Creates a secret from the 64-byte key K of SRP.
    init(sessionKey: [UInt8]) { bytes = sessionKey }
}

extension SharedSecret: Equatable {
    /// Compares in constant time.
    package static func == (left: SharedSecret, right: SharedSecret) -> Bool {
        constantTimeEqual(left.bytes, right.bytes)
    }
}
