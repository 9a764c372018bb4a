import Testing
import TuttiCryptography

@Suite("X25519")
struct Curve25519KeyAgreementTests {
    /// RFC 7748, 6.1.
    static let alice = [UInt8](hex: "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    static let bob = [UInt8](hex: "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    static let secret = [UInt8](hex: "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")

    @Test("the example of RFC 7748 matches")
    func published() throws {
        let alice = try Curve25519KeyAgreement(privateKey: Self.alice)
        let bob = try Curve25519KeyAgreement(privateKey: Self.bob)
        #expect(
            alice.publicKey
                == [UInt8](hex: "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
        #expect(
            bob.publicKey
                == [UInt8](hex: "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"))
        #expect(try alice.sharedSecret(with: bob.publicKey) == Self.secret)
        #expect(try bob.sharedSecret(with: alice.publicKey) == Self.secret)
    }

    @Test("two random sides agree")
    func random() throws {
        let left = try Curve25519KeyAgreement()
        let right = try Curve25519KeyAgreement()
        #expect(left.publicKey != right.publicKey)
        #expect(try left.sharedSecret(with: right.publicKey) == right.sharedSecret(with: left.publicKey))
    }

    @Test("points that make the secret zero are refused", arguments: [0, 1] as [UInt8])
    func smallOrder(first: UInt8) throws {
        let side = try Curve25519KeyAgreement()
        #expect(throws: CryptographyError.invalidPublicKey) {
            try side.sharedSecret(with: [first] + [UInt8](repeating: 0, count: 31))
        }
    }

    @Test("keys of another length are refused", arguments: [0, 31, 33])
    func wrongLength(count: Int) throws {
        let bytes = [UInt8](repeating: 9, count: count)
        let error = CryptographyError.wrongByteCount(expected: 32, received: count)
        #expect(throws: error) { try Curve25519KeyAgreement(privateKey: bytes) }
        let side = try Curve25519KeyAgreement()
        #expect(throws: error) { try side.sharedSecret(with: bytes) }
    }

    @Test("the private key is never printed")
    func redacted() throws {
        let text = "\(try Curve25519KeyAgreement(privateKey: Self.alice))"
        #expect(text.contains("redacted"))
        #expect(!text.contains("119"))
    }
}
