import CTuttiOpenSSL

/// AES with a key of 16 bytes, for the pairing of Apple TVs before HomeKit; everything newer uses
/// ``ChaChaPoly``. Printing the key shows none of its bytes.
///
/// Source: FIPS 197; NIST SP 800-38A (counter mode) and SP 800-38D (GCM).
package struct AES128: Sendable, Redacted {
    /// The length of a key, of a block, of every initial counter here, and of a tag, in bytes.
    package static let byteCount = 16

    private let key: [UInt8]

    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` unless there are 16 bytes.
    package init(key: [UInt8]) throws(CryptographyError) {
        try Self.check(key)
        self.key = key
    }

    /// Encrypts or decrypts in counter mode.
    ///
    /// - Parameter counter: The initial counter, 16 bytes, big-endian; never used before with this key.
    package func counterMode(
        _ bytes: [UInt8], counter: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try Self.check(counter)
        let context = try CipherContext()
        try context.begin(EVP_aes_128_ctr(), ivByteCount: nil, key: key, iv: counter, isSealing: true)
        return try context.update(bytes)
    }

    /// Encrypts one message in GCM.
    ///
    /// - Parameter iv: 16 bytes, never used before with this key.
    package func seal(
        _ plaintext: [UInt8], iv: [UInt8]
    ) throws(CryptographyError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        try Self.check(iv)
        let context = try CipherContext()
        try context.begin(
            EVP_aes_128_gcm(), ivByteCount: Int32(iv.count), key: key, iv: iv, isSealing: true)
        let ciphertext = try context.update(plaintext)
        return (ciphertext, try context.finishedTag())
    }

    /// Decrypts one message in GCM.
    ///
    /// - Throws: ``CryptographyError/authenticationFailed`` when key, initial value or any byte differs.
    package func open(
        _ ciphertext: [UInt8], tag: [UInt8], iv: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try Self.check(iv)
        try Self.check(tag)
        let context = try CipherContext()
        try context.begin(
            EVP_aes_128_gcm(), ivByteCount: Int32(iv.count), key: key, iv: iv, isSealing: false)
        let plaintext = try context.update(ciphertext)
        try context.finish(expecting: tag)
        return plaintext
    }

    private static func check(_ bytes: [UInt8]) throws(CryptographyError) {
        guard bytes.count == byteCount else {
            throw .wrongByteCount(expected: byteCount, received: bytes.count)
        }
    }
}

/// A context of libcrypto for one message.
private struct CipherContext: ~Copyable {
    private let pointer: OpaquePointer

    init() throws(CryptographyError) {
        Libcrypto.prepare()
        guard let pointer = EVP_CIPHER_CTX_new() else {
            throw .libraryFailure(operation: "EVP_CIPHER_CTX_new")
        }
        self.pointer = pointer
    }

    deinit { EVP_CIPHER_CTX_free(pointer) }

    func begin(
        _ cipher: OpaquePointer?, ivByteCount: Int32?, key: [UInt8], iv: [UInt8], isSealing: Bool
    ) throws(CryptographyError) {
        let direction: Int32 = isSealing ? 1 : 0
        guard EVP_CipherInit_ex(pointer, cipher, nil, nil, nil, direction) == 1 else {
            throw .libraryFailure(operation: "EVP_CipherInit_ex")
        }
        if let ivByteCount {
            guard EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_IVLEN, ivByteCount, nil) == 1 else {
                throw .libraryFailure(operation: "EVP_CTRL_AEAD_SET_IVLEN")
            }
        }
        guard EVP_CipherInit_ex(pointer, nil, nil, key, iv, direction) == 1 else {
            throw .libraryFailure(operation: "EVP_CipherInit_ex")
        }
    }

    /// Stream modes return as many bytes as they get.
    func update(_ input: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard let count = Int32(exactly: input.count) else { throw .inputTooLong(byteCount: input.count) }
        var output = [UInt8](repeating: 0, count: input.count)
        guard count > 0 else { return output }
        var written: Int32 = 0
        guard EVP_CipherUpdate(pointer, &output, &written, input, count) == 1, written == count else {
            throw .libraryFailure(operation: "EVP_CipherUpdate")
        }
        return output
    }

    func finishedTag() throws(CryptographyError) -> [UInt8] {
        var (nothing, written): (UInt8, Int32) = (0, 0)
        guard EVP_CipherFinal_ex(pointer, &nothing, &written) == 1 else {
            throw .libraryFailure(operation: "EVP_CipherFinal_ex")
        }
        var tag = [UInt8](repeating: 0, count: AES128.byteCount)
        guard EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1 else {
            throw .libraryFailure(operation: "EVP_CTRL_AEAD_GET_TAG")
        }
        return tag
    }

    func finish(expecting tag: [UInt8]) throws(CryptographyError) {
        // The parameter is not const, but the library only reads it.
        var tag = tag
        guard EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1 else {
            throw .libraryFailure(operation: "EVP_CTRL_AEAD_SET_TAG")
        }
        var (nothing, written): (UInt8, Int32) = (0, 0)
        guard EVP_CipherFinal_ex(pointer, &nothing, &written) == 1 else { throw .authenticationFailed }
    }
}
