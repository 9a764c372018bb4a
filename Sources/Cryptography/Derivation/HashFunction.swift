internal import COpenSSL

/// A hash function that takes its whole message at once.
public protocol HashFunction: Sendable {
    /// Length of a digest in bytes.
    static var byteCount: Int { get }
    /// The digest of a message.
    static func hash(_ message: [UInt8]) -> [UInt8]
}

/// SHA-512, digests of 64 bytes.
///
/// Source: FIPS 180-4.
public enum SHA512: HashFunction {
    /// Length of a digest in bytes.
    public static let byteCount = 64

    /// The digest of a message.
    public static func hash(_ message: [UInt8]) -> [UInt8] {
        digest(of: message, by: EVP_sha512(), byteCount: byteCount)
    }
}

/// SHA-1, digests of 20 bytes. Broken for signatures; here for the published SRP examples and for
/// old devices.
///
/// Source: FIPS 180-4.
public enum SHA1: HashFunction {
    /// Length of a digest in bytes.
    public static let byteCount = 20

    /// The digest of a message.
    public static func hash(_ message: [UInt8]) -> [UInt8] {
        digest(of: message, by: EVP_sha1(), byteCount: byteCount)
    }
}

/// MD5, digests of 16 bytes. Broken for everything; here because HTTP Digest access authentication uses it.
///
/// Source: RFC 1321.
public enum MD5 {
    /// The digest of a message; `nil` where the library refuses the algorithm, as one in FIPS mode does.
    public static func hash(_ message: [UInt8]) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: 16)
        let done = EVP_Digest(message, message.count, &digest, nil, EVP_md5(), nil)
        return done == 1 ? digest : nil
    }
}

private func digest(of message: [UInt8], by algorithm: OpaquePointer?, byteCount: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
        // Fails only without memory, or on a libcrypto built without the algorithm.
        let done = EVP_Digest(message, message.count, buffer.baseAddress, nil, algorithm, nil)
        precondition(done == 1, "EVP_Digest failed")
        initialized = byteCount
    }
}
