import Testing
import TuttiCryptography
import TuttiTestSupport

@Suite("AES with 128-bit keys")
struct AES128Tests {
    /// NIST SP 800-38A, F.5.1.
    @Test("counter mode gives the published ciphertext, in both directions")
    func counterMode() throws {
        let cipher = try AES128(key: Vectors.bytes(hex: "2b7e151628aed2a6abf7158809cf4f3c"))
        let counter = Vectors.bytes(hex: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
        let plain = Vectors.bytes(
            hex: "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
        let sealed = Vectors.bytes(
            hex: "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff")
        #expect(try cipher.counterMode(plain, counter: counter) == sealed)
        #expect(try cipher.counterMode(sealed, counter: counter) == plain)
        #expect(try cipher.counterMode([], counter: counter).isEmpty)
    }

    @Test("GCM opens what it sealed, and nothing else")
    func galoisCounterMode() throws {
        let cipher = try AES128(key: [UInt8](repeating: 1, count: 16))
        let iv = [UInt8](repeating: 2, count: 16)
        let sealed = try cipher.seal(Array(0..<40), iv: iv)
        #expect(try cipher.open(sealed.ciphertext, tag: sealed.tag, iv: iv) == Array(0..<40))
        var changed = sealed.ciphertext
        changed[7] ^= 1
        #expect(throws: CryptographyError.authenticationFailed) {
            try cipher.open(changed, tag: sealed.tag, iv: iv)
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try cipher.open(sealed.ciphertext, tag: [UInt8](repeating: 0, count: 16), iv: iv)
        }
    }

    @Test("keys, initial values and tags of another length are refused", arguments: [0, 12, 15, 17, 32])
    func lengths(count: Int) throws {
        let bytes = [UInt8](repeating: 0, count: count)
        let error = CryptographyError.wrongByteCount(expected: 16, received: count)
        #expect(throws: error) { try AES128(key: bytes) }
        let cipher = try AES128(key: [UInt8](repeating: 1, count: 16))
        #expect(throws: error) { try cipher.seal([1], iv: bytes) }
        #expect(throws: error) { try cipher.counterMode([1], counter: bytes) }
        #expect(throws: error) {
            try cipher.open([1], tag: bytes, iv: [UInt8](repeating: 1, count: 16))
        }
    }
}
