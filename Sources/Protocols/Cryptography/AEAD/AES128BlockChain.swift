import CTuttiOpenSSL

/// Encryption by AES-128 in CBC mode with one key and one initial vector for all messages, as AirPlay 1 has it.
///
/// Proves nothing about the bytes: a receiver cannot tell that they were changed. After `init` no method
/// allocates. Only one thread at a time can use the cipher, which the exclusive access of a `mutating` method
/// guarantees.
///
/// Source: FIPS 197; NIST SP 800-38A (CBC).
package struct AES128BlockChain: ~Copyable, @unchecked Sendable {
    // Safe to share: the type is noncopyable and the pointer never leaves it, so the context has one
    // owner at any time, and every use of it is a mutating method of that owner.
    private let context: OpaquePointer
    private let iv: [UInt8]

    /// The length of a block, in bytes.
    package static let blockByteCount = AES128.byteCount

    /// Allocates the context and expands the key.
    ///
    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` unless key and initial vector have 16
    ///   bytes each, or ``CryptographyError/libraryFailure(operation:)``.
    package init(key: [UInt8], iv: [UInt8]) throws(CryptographyError) {
        for bytes in [key, iv] where bytes.count != AES128.byteCount {
            throw .wrongByteCount(expected: AES128.byteCount, received: bytes.count)
        }
        Libcrypto.prepare()
        guard let context = EVP_CIPHER_CTX_new() else {
            throw .libraryFailure(operation: "EVP_CIPHER_CTX_new")
        }
        guard EVP_CipherInit_ex(context, EVP_aes_128_cbc(), nil, key, iv, 1) == 1,
            EVP_CIPHER_CTX_set_padding(context, 0) == 1
        else {
            EVP_CIPHER_CTX_free(context)
            throw .libraryFailure(operation: "EVP_CipherInit_ex")
        }
        self.context = context
        self.iv = iv
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Encrypts the whole blocks of one message, from the initial vector on, and copies the bytes after them.
    ///
    /// - Parameters:
    ///   - message: Any number of bytes.
    ///   - output: At least as many bytes. Must not overlap `message`.
    /// - Throws: ``CryptographyError``; the content of `output` is then undefined.
    package mutating func encryptWholeBlocks(
        of message: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) {
        guard output.count >= message.count else {
            throw .outputTooSmall(needed: message.count, available: output.count)
        }
        let end = message.count / Self.blockByteCount * Self.blockByteCount
        guard let count = Int32(exactly: end) else { throw .inputTooLong(byteCount: message.count) }
        if count > 0 {
            guard EVP_CipherInit_ex(context, nil, nil, nil, iv, 1) == 1 else {
                throw .libraryFailure(operation: "EVP_CipherInit_ex")
            }
            var written: Int32 = 0
            let done = EVP_CipherUpdate(
                context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written,
                message.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
            guard done == 1, written == count else { throw .libraryFailure(operation: "EVP_CipherUpdate") }
        }
        output[end..<message.count].copyBytes(from: message[end...])
    }
}
