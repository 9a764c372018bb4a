import CTuttiOpenSSL

/// Key derivation from a secret: extract, then expand.
///
/// Source: RFC 5869, with HMAC-SHA-512.
package enum HKDF {
    /// The longest output that the standard allows, in bytes.
    package static let maximumByteCount = 255 * SHA512.byteCount

    /// Returns `count` bytes that only a holder of `secret` can compute.
    ///
    /// - Parameters:
    ///   - secret: The input keying material; any length.
    ///   - salt: A public value; empty counts as 64 zero bytes.
    ///   - info: A public label for the use of the result.
    ///   - count: A number of bytes, 0 ... ``maximumByteCount``; must not come from a peer.
    package static func sha512(secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        precondition(count >= 0 && count <= maximumByteCount, "HKDF: impossible count")
        let extracted = hmac(key: salt, message: secret)
        var output: [UInt8] = []
        var block: [UInt8] = []
        var index: UInt8 = 0
        while output.count < count {
            index += 1
            block = hmac(key: extracted, message: block + info + [index])
            output += block
        }
        return Array(output.prefix(count))
    }

    private static func hmac(key: [UInt8], message: [UInt8]) -> [UInt8] {
        precondition(key.count <= Int32.max, "HMAC: impossible key")
        Libcrypto.prepare()
        return [UInt8](unsafeUninitializedCapacity: SHA512.byteCount) { buffer, initialized in
            // A null result means no memory or no SHA-512; the program cannot continue in either case.
            let done = HMAC(
                EVP_sha512(), key, Int32(key.count), message, message.count, buffer.baseAddress, nil)
            precondition(done != nil, "HMAC failed")
            initialized = SHA512.byteCount
        }
    }
}
