import Testing
import TuttiCryptography
import TuttiTestSupport

@Suite("ChaCha20-Poly1305, one message")
struct ChaChaPolyTests {
    /// RFC 8439, 2.8.2.
    static let key = (0x80...0x9F).map { UInt8($0) }
    static let nonce = [UInt8](hex: "070000004041424344454647")
    static let clear = [UInt8](hex: "50515253c0c1c2c3c4c5c6c7")
    static let plaintext = [UInt8](
        ("Ladies and Gentlemen of the class of '99: If I could offer you "
            + "only one tip for the future, sunscreen would be it.").utf8)
    static let sealed = [UInt8](
        hex: """
            d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6
            3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36
            92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc
            3ff4def08e4b7a9de576d26586cec64b6116 1ae10b594f09e26a7e902ecbd0600691
            """)

    @Test("the example of RFC 8439 seals and opens")
    func published() throws {
        let key = try SymmetricKey(Self.key)
        let nonce = try ChaChaPolyNonce(Self.nonce[...])
        #expect(
            try ChaChaPoly.seal(Self.plaintext, key: key, nonce: nonce, authenticating: Self.clear)
                == Self.sealed)
        #expect(
            try ChaChaPoly.open(Self.sealed, key: key, nonce: nonce, authenticating: Self.clear)
                == Self.plaintext)
    }

    @Test("an empty message is just a tag", arguments: [[], Self.clear])
    func empty(clear: [UInt8]) throws {
        let key = SymmetricKey()
        let nonce = ChaChaPolyNonce(counter: 1)
        let sealed = try ChaChaPoly.seal([], key: key, nonce: nonce, authenticating: clear)
        #expect(sealed.count == 16)
        #expect(try ChaChaPoly.open(sealed, key: key, nonce: nonce, authenticating: clear) == [])
        #expect(throws: CryptographyError.authenticationFailed) {
            try ChaChaPoly.open(sealed, key: key, nonce: nonce, authenticating: clear + [0])
        }
    }

    @Test("changing any bit of the message fails authentication", arguments: 0..<Self.sealed.count)
    func tampered(index: Int) throws {
        var sealed = Self.sealed
        sealed[index] ^= 1 << UInt8(index % 8)
        let key = try SymmetricKey(Self.key)
        let nonce = try ChaChaPolyNonce(Self.nonce[...])
        #expect(throws: CryptographyError.authenticationFailed) {
            try ChaChaPoly.open(sealed, key: key, nonce: nonce, authenticating: Self.clear)
        }
    }

    @Test("no truncation opens", arguments: 0..<Self.sealed.count)
    func truncated(count: Int) throws {
        let key = try SymmetricKey(Self.key)
        let nonce = try ChaChaPolyNonce(Self.nonce[...])
        let error: CryptographyError =
            count < 16 ? .missingTag(byteCount: count) : .authenticationFailed
        #expect(throws: error) {
            try ChaChaPoly.open(
                Array(Self.sealed.prefix(count)), key: key, nonce: nonce, authenticating: Self.clear)
        }
    }

    @Test("another key, nonce or additional data does not open")
    func otherParameters() throws {
        let key = try SymmetricKey(Self.key)
        let nonce = try ChaChaPolyNonce(Self.nonce[...])
        #expect(throws: CryptographyError.authenticationFailed) {
            try ChaChaPoly.open(
                Self.sealed, key: SymmetricKey(), nonce: nonce, authenticating: Self.clear)
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try ChaChaPoly.open(
                Self.sealed, key: key, nonce: ChaChaPolyNonce(counter: 0), authenticating: Self.clear)
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try ChaChaPoly.open(Self.sealed, key: key, nonce: nonce)
        }
    }
}
