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

private func digest(of message: [UInt8], by algorithm: OpaquePointer?, byteCount: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
        // Fails only without memory, or on a libcrypto built without the algorithm.
        let done = EVP_Digest(message, message.count, buffer.baseAddress, nil, algorithm, nil)
        precondition(done == 1, "EVP_Digest failed")
        initialized = byteCount
    }
}
