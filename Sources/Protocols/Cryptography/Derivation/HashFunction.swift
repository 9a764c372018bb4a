import CTuttiOpenSSL

/// A one-shot hash function.
package protocol HashFunction: Sendable {
    /// The length of a digest in bytes.
    static var byteCount: Int { get }
    /// Returns the digest of a message.
    static func hash(_ message: [UInt8]) -> [UInt8]
}

/// SHA-512, digests of 64 bytes.
///
/// Source: FIPS 180-4.
package enum SHA512: HashFunction {
    /// The length of a digest in bytes.
    package static let byteCount = 64

    /// Returns the digest of a message.
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        digest(of: message, by: EVP_sha512(), byteCount: byteCount)
    }
}

/// SHA-1, digests of 20 bytes. Broken for signatures; here for the published SRP examples and for old devices.
///
/// Source: FIPS 180-4.
package enum SHA1: HashFunction {
    /// The length of a digest in bytes.
    package static let byteCount = 20

    /// Returns the digest of a message.
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        digest(of: message, by: EVP_sha1(), byteCount: byteCount)
    }
}

/// MD5, digests of 16 bytes. Broken for everything; here for HTTP Digest access authentication.
///
/// Source: RFC 1321.
package enum MD5 {
    /// Returns the digest of a message; `nil` where the library rejects the algorithm, as in FIPS mode.
    package static func hash(_ message: [UInt8]) -> [UInt8]? {
        Libcrypto.prepare()
        var digest = [UInt8](repeating: 0, count: 16)
        let done = EVP_Digest(message, message.count, &digest, nil, EVP_md5(), nil)
        return done == 1 ? digest : nil
    }
}

private func digest(of message: [UInt8], by algorithm: OpaquePointer?, byteCount: Int) -> [UInt8] {
    Libcrypto.prepare()
    return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
        // Fails only without memory, or on a libcrypto built without the algorithm.
        let done = EVP_Digest(message, message.count, buffer.baseAddress, nil, algorithm, nil)
        precondition(done == 1, "EVP_Digest failed")
        initialized = byteCount
    }
}
