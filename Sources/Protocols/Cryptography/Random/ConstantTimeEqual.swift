import CTuttiOpenSSL

/// Returns whether two byte strings are equal, in a time that depends only on their lengths.
///
/// For tags, proofs and keys: a comparison that stops at the first difference tells an attacker how many
/// bytes were right. Different lengths return at once, because lengths are not secret.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    guard !left.isEmpty else { return true }
    return CRYPTO_memcmp(left, right, left.count) == 0
}
