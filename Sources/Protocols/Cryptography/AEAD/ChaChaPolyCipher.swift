import CTuttiOpenSSL

/// A ChaCha20-Poly1305 context with one key, set up once and used for many messages.
///
/// After `init` no method allocates; per message only the nonce changes. Only one thread at a time can use
/// the cipher, which the exclusive access of a `mutating` method guarantees.
///
/// Source: RFC 8439.
package struct ChaChaPolyCipher: ~Copyable, @unchecked Sendable {
    // Safe to share: the type is noncopyable and the pointer never leaves it, so the context has one
    // owner at any time, and every use of it is a mutating method of that owner.
    private let context: OpaquePointer

    /// The length of the tag after every ciphertext, in bytes.
    package static let tagByteCount = 16

    /// Allocates the context and expands the key.
    ///
    /// - Throws: ``CryptographyError/libraryFailure(operation:)`` when libcrypto has no memory or
    ///   no ChaCha20-Poly1305.
    package init(key: SymmetricKey) throws(CryptographyError) {
        Libcrypto.prepare()
        guard let context = EVP_CIPHER_CTX_new() else {
            throw .libraryFailure(operation: "EVP_CIPHER_CTX_new")
        }
        guard EVP_CipherInit_ex(context, EVP_chacha20_poly1305(), nil, key.bytes, nil, 1) == 1 else {
            EVP_CIPHER_CTX_free(context)
            throw .libraryFailure(operation: "EVP_CipherInit_ex")
        }
        self.context = context
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Encrypts and authenticates one message.
    ///
    /// - Parameters:
    ///   - plaintext: The message; may be empty.
    ///   - nonce: A nonce never used before with this key.
    ///   - authenticating: Additional cleartext bytes to authenticate; may be empty.
    ///   - output: At least `plaintext.count + 16` bytes. May begin where `plaintext` begins
    ///     (in place); any other overlap is an error.
    /// - Returns: The number of bytes written to `output`: ciphertext, then tag.
    @discardableResult
    package mutating func seal(
        _ plaintext: UnsafeRawBufferPointer, nonce: ChaChaPolyNonce,
        authenticating: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) -> Int {
        let needed = plaintext.count + Self.tagByteCount
        guard output.count >= needed else {
            throw .outputTooSmall(needed: needed, available: output.count)
        }
        try begin(nonce: nonce, authenticating: authenticating, direction: .seal)
        try update(plaintext, into: output.baseAddress)
        var written: Int32 = 0
        let tag = output.baseAddress?.advanced(by: plaintext.count)
        guard EVP_CipherFinal_ex(context, tag?.bytePointer, &written) == 1 else {
            throw .libraryFailure(operation: "EVP_CipherFinal_ex")
        }
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagByteCount), tag) == 1
        else { throw .libraryFailure(operation: "EVP_CTRL_AEAD_GET_TAG") }
        return needed
    }

    /// Checks and decrypts one message.
    ///
    /// - Parameters:
    ///   - sealed: Ciphertext, then tag.
    ///   - nonce: The nonce with which the message was sealed.
    ///   - authenticating: The cleartext bytes of the message.
    ///   - output: At least `sealed.count - 16` bytes. May begin where `sealed` begins (in place).
    /// - Returns: The number of bytes written to `output`.
    /// - Throws: ``CryptographyError/authenticationFailed`` when key, nonce or any byte differs; the output
    ///   then holds zeros, never unchecked plaintext.
    @discardableResult
    package mutating func open(
        _ sealed: UnsafeRawBufferPointer, nonce: ChaChaPolyNonce,
        authenticating: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) -> Int {
        guard sealed.count >= Self.tagByteCount else { throw .missingTag(byteCount: sealed.count) }
        let count = sealed.count - Self.tagByteCount
        guard output.count >= count else { throw .outputTooSmall(needed: count, available: output.count) }
        try begin(nonce: nonce, authenticating: authenticating, direction: .open)
        try expect(tag: UnsafeRawBufferPointer(rebasing: sealed[count...]))
        try update(UnsafeRawBufferPointer(rebasing: sealed[..<count]), into: output.baseAddress)
        var written: Int32 = 0
        var nothing: UInt8 = 0
        guard EVP_CipherFinal_ex(context, &nothing, &written) == 1 else {
            UnsafeMutableRawBufferPointer(rebasing: output[..<count]).initializeMemory(
                as: UInt8.self, repeating: 0)
            throw .authenticationFailed
        }
        return count
    }

    private enum Direction: Int32 {
        case open = 0
        case seal = 1
    }

    private mutating func begin(
        nonce: ChaChaPolyNonce, authenticating: UnsafeRawBufferPointer, direction: Direction
    ) throws(CryptographyError) {
        let context = context
        let begun = nonce.withUnsafeBytes {
            EVP_CipherInit_ex(context, nil, nil, nil, $0.baseAddress?.bytePointer, direction.rawValue)
        }
        guard begun == 1 else { throw .libraryFailure(operation: "EVP_CipherInit_ex") }
        try update(authenticating, into: nil)
    }

    /// Processes message bytes or, without an output, bytes to authenticate only.
    private mutating func update(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer?
    ) throws(CryptographyError) {
        guard !input.isEmpty else { return }
        guard let count = Int32(exactly: input.count) else { throw .inputTooLong(byteCount: input.count) }
        var written: Int32 = 0
        let done = EVP_CipherUpdate(
            context, output?.bytePointer, &written, input.baseAddress?.bytePointer, count)
        guard done == 1 else { throw .libraryFailure(operation: "EVP_CipherUpdate") }
    }

    private mutating func expect(tag: UnsafeRawBufferPointer) throws(CryptographyError) {
        // The parameter is `void *` for all controls; this control only reads.
        let bytes = UnsafeMutableRawPointer(mutating: tag.baseAddress)
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), bytes) == 1 else {
            throw .libraryFailure(operation: "EVP_CTRL_AEAD_SET_TAG")
        }
    }
}

extension UnsafeRawPointer {
    fileprivate var bytePointer: UnsafePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawPointer {
    fileprivate var bytePointer: UnsafeMutablePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
}
