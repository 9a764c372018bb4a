/// Why an SRP exchange ended without a key.
public enum SRPError: Error, Equatable, Sendable {
    /// The peer's public key is zero modulo N or longer than N: no honest peer sends it.
    case invalidPublicKey
    /// The peer's proof does not fit: the passwords differ, or the bytes were changed.
    case wrongProof
}

/// Numbers that both sides of an exchange use.
enum SRPLimits {
    /// Length of a random private value a or b, in bytes.
    static let privateValueByteCount = 32
    /// Length of a salt of ours, in bytes.
    static let saltByteCount = 16
    /// How often a random value is chosen again for the sake of length. One choice in 128 is
    /// short, so that the limit is never met with a working generator.
    static let maximumAttempts = 32
}
