/// An error that ends an SRP exchange without a key.
package enum SRPError: Error, Equatable, Sendable {
    /// The peer's public key is zero modulo N or longer than N: no honest peer sends it.
    case invalidPublicKey
    /// The peer's proof does not match: the passwords differ, or bytes were changed.
    case wrongProof
}

/// Constants of both sides of an exchange.
enum SRPLimits {
    /// The length of a random private value a or b, in bytes.
    static let privateValueByteCount = 32
    /// The length of our salts, in bytes.
    static let saltByteCount = 16
    /// The limit of retries for a full-length value. One choice in 128 is short, so that a working generator
    /// never reaches the limit.
    static let maximumAttempts = 32
}
