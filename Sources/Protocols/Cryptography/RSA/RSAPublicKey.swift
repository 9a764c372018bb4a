import CTuttiOpenSSL

/// The public half of an RSA key, for AirPlay 1 speakers that need their sound's key encrypted with it.
///
/// Source: RFC 8017.
package struct RSAPublicKey: Hashable, Sendable {
    /// Big-endian bytes.
    private let modulus: [UInt8]
    /// Big-endian bytes.
    private let exponent: [UInt8]

    /// - Parameters:
    ///   - modulus: Big-endian bytes.
    ///   - exponent: Big-endian bytes.
    package init(modulus: [UInt8], exponent: [UInt8]) { (self.modulus, self.exponent) = (modulus, exponent) }

    /// Encrypts one short message with OAEP padding, SHA-1 and no label.
    ///
    /// The padding is random: the result differs each time. Any thread.
    /// - Parameter message: At most 42 bytes fewer than the modulus has.
    /// - Returns: The ciphertext, with as many bytes as the modulus.
    /// - Throws: ``CryptographyError/inputTooLong(byteCount:)`` for a longer message, or
    ///   ``CryptographyError/invalidPublicKey`` if the numbers are no key.
    package func encrypt(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard message.count <= modulus.count - Self.paddingByteCount else {
            throw .inputTooLong(byteCount: message.count)
        }
        let key = try RSAKeyHandle(modulus: BigNumber(modulus), exponent: BigNumber(exponent))
        return try key.encrypt(message, into: modulus.count)
    }

    /// The bytes of OAEP's two hashes and its two other bytes.
    private static let paddingByteCount = 2 * SHA1.byteCount + 2
}

/// A public key of libcrypto.
private struct RSAKeyHandle: ~Copyable {
    private let pointer: OpaquePointer

    init(modulus: borrowing BigNumber, exponent: borrowing BigNumber) throws(CryptographyError) {
        Libcrypto.prepare()
        guard let builder = OSSL_PARAM_BLD_new() else {
            throw .libraryFailure(operation: "OSSL_PARAM_BLD_new")
        }
        defer { OSSL_PARAM_BLD_free(builder) }
        guard modulus.push(to: builder, named: shim_rsa_modulus_name()),
            exponent.push(to: builder, named: shim_rsa_exponent_name()),
            let parameters = OSSL_PARAM_BLD_to_param(builder)
        else { throw .libraryFailure(operation: "OSSL_PARAM_BLD_to_param") }
        defer { OSSL_PARAM_free(parameters) }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else {
            throw .libraryFailure(operation: "EVP_PKEY_CTX_new_from_name")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &made, shim_evp_pkey_public_key, parameters) == 1, let made
        else { throw .invalidPublicKey }
        pointer = made
    }

    deinit { EVP_PKEY_free(pointer) }

    /// - Parameter byteCount: The bytes of the modulus.
    func encrypt(_ message: [UInt8], into byteCount: Int) throws(CryptographyError) -> [UInt8] {
        guard let context = EVP_PKEY_CTX_new(pointer, nil) else {
            throw .libraryFailure(operation: "EVP_PKEY_CTX_new")
        }
        defer { EVP_PKEY_CTX_free(context) }
        // SHA-1 is OAEP's default, also of its mask.
        guard EVP_PKEY_encrypt_init(context) == 1,
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
        else { throw .libraryFailure(operation: "EVP_PKEY_encrypt_init") }
        var output = [UInt8](repeating: 0, count: byteCount)
        var written = byteCount
        guard EVP_PKEY_encrypt(context, &output, &written, message, message.count) == 1, written == byteCount
        else { throw .invalidPublicKey }
        return output
    }
}
