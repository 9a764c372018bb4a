/// A 256-bit key of ChaCha20-Poly1305. Printing it shows no byte of it.
public struct SymmetricKey: Sendable, Redacted {
    /// Length of every key, in bytes.
    public static let byteCount = 32

    /// The key itself, ``byteCount`` bytes; for the wire, never for a log.
    public let bytes: [UInt8]

    /// A key from somewhere else.
    ///
    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` unless there are 32 bytes.
    public init(_ bytes: [UInt8]) throws(CryptographyError) {
        guard bytes.count == Self.byteCount else {
            throw .wrongByteCount(expected: Self.byteCount, received: bytes.count)
        }
        self.bytes = bytes
    }

    /// The HKDF-SHA-512 of a secret.
    public init(derivedFrom secret: [UInt8], salt: [UInt8], info: [UInt8]) {
        bytes = HKDF.sha512(secret: secret, salt: salt, info: info, count: Self.byteCount)
    }

    /// A new random key.
    public init() {
        bytes = SecureRandom.bytes(count: Self.byteCount)
    }
}

extension SymmetricKey: Equatable {
    /// Compares in constant time.
    public static func == (left: SymmetricKey, right: SymmetricKey) -> Bool {
        constantTimeEqual(left.bytes, right.bytes)
    }
}
