import Cryptography

/// Which end of a pairing this is.
public enum PairingRole: Sendable, Hashable {
    /// The sender.
    case controller
    /// The receiver.
    case accessory
}

/// What both ends have after pairing, and nobody else: the root of all channel keys.
public struct SharedSecret: Sendable, Redacted {
    /// Length of the SRP session key that pair-setup leaves, in bytes.
    public static let pairSetupByteCount = 64
    /// Length of the X25519 secret that pair-verify leaves, in bytes.
    public static let pairVerifyByteCount = 32

    /// The secret itself; never for a log.
    public let bytes: [UInt8]

    /// A secret that was agreed on elsewhere.
    ///
    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` unless there are 64 or
    ///   32 bytes.
    public init(_ bytes: [UInt8]) throws(CryptographyError) {
        guard bytes.count == Self.pairSetupByteCount || bytes.count == Self.pairVerifyByteCount else {
            throw .wrongByteCount(expected: Self.pairSetupByteCount, received: bytes.count)
        }
        self.bytes = bytes
    }

    /// The 64-byte key K of SRP.
    init(sessionKey: [UInt8]) { bytes = sessionKey }
}

extension SharedSecret: Equatable {
    /// Compares in constant time.
    public static func == (left: SharedSecret, right: SharedSecret) -> Bool {
        constantTimeEqual(left.bytes, right.bytes)
    }
}
