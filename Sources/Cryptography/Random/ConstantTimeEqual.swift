internal import COpenSSL

/// Whether two byte strings are the same, in a time that depends only on their lengths.
///
/// For tags, proofs and keys: a comparison that stops at the first difference tells an attacker how
/// many bytes were right. Different lengths are different at once; lengths are no secret.
public func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    guard !left.isEmpty else { return true }
    return CRYPTO_memcmp(left, right, left.count) == 0
}
