import CTuttiOpenSSL

/// A raw key of one of the two curves, held by libcrypto.
struct KeyHandle: ~Copyable {
    enum Algorithm: String {
        case x25519 = "X25519"
        case ed25519 = "ED25519"
    }

    /// The length of every private key, public key and X25519 secret, in bytes.
    static let byteCount = 32

    let pointer: OpaquePointer

    init(privateKey bytes: [UInt8], _ algorithm: Algorithm) throws(CryptographyError) {
        try Self.check(bytes)
        Libcrypto.prepare()
        guard
            let pointer = EVP_PKEY_new_raw_private_key_ex(nil, algorithm.rawValue, nil, bytes, bytes.count)
        else { throw .libraryFailure(operation: "EVP_PKEY_new_raw_private_key_ex") }
        self.pointer = pointer
    }

    init(publicKey bytes: [UInt8], _ algorithm: Algorithm) throws(CryptographyError) {
        try Self.check(bytes)
        Libcrypto.prepare()
        guard let pointer = EVP_PKEY_new_raw_public_key_ex(nil, algorithm.rawValue, nil, bytes, bytes.count)
        else { throw .libraryFailure(operation: "EVP_PKEY_new_raw_public_key_ex") }
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    var publicKey: [UInt8] {
        get throws(CryptographyError) {
            var bytes = [UInt8](repeating: 0, count: Self.byteCount)
            var count = bytes.count
            guard EVP_PKEY_get_raw_public_key(pointer, &bytes, &count) == 1, count == bytes.count else {
                throw .libraryFailure(operation: "EVP_PKEY_get_raw_public_key")
            }
            return bytes
        }
    }

    private static func check(_ bytes: [UInt8]) throws(CryptographyError) {
        guard bytes.count == byteCount else {
            throw .wrongByteCount(expected: byteCount, received: bytes.count)
        }
    }
}
