/// A 256-bit key of ChaCha20-Poly1305. Printing the key shows none of its bytes.
package struct SymmetricKey: Sendable, Redacted {
    /// The length of every key, in bytes.
    package static let byteCount = 32

    /// The key itself, ``byteCount`` bytes; for the wire, never for a log.
    package let bytes: [UInt8]

    /// Creates a key from given bytes.
    ///
    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` unless there are 32 bytes.
    package init(_ bytes: [UInt8]) throws(CryptographyError) {
        guard bytes.count == Self.byteCount else {
            throw .wrongByteCount(expected: Self.byteCount, received: bytes.count)
        }
        self.bytes = bytes
    }

    /// Derives a key from a secret with HKDF-SHA-512.
    package init(derivedFrom secret: [UInt8], salt: [UInt8], info: [UInt8]) {
        bytes = HKDF.sha512(secret: secret, salt: salt, info: info, count: Self.byteCount)
    }

    /// Creates a new random key.
    package init() {
        bytes = SecureRandom.bytes(count: Self.byteCount)
    }
}

extension SymmetricKey: Equatable {
    /// Compares in constant time.
    package static func == (left: SymmetricKey, right: SymmetricKey) -> Bool {
        constantTimeEqual(left.bytes, right.bytes)
    }
}
