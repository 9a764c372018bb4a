import Testing
import TuttiTestSupport

@testable import TuttiCryptography

@Suite("Encryption with a public RSA key")
struct RSAPublicKeyTests {
    /// A key for tests, made by `openssl genrsa 1024`.
    private static let modulus = Vectors.bytes(
        hex: "c46b5cf6b6ec718aa3b37aafd5c0665ad6ac7daafb3ec454d2e8ef849b9c0947"
            + "95c908632e67f3d0ab2bf6ed51ac9f9a5446175738412edd022249919f8a73d1"
            + "ad84047e09b93cf45e38fc0a013be21d26e8c8f1b5805ff2b5dc8d3699108472"
            + "9f38c8069c49176655356ce9e7688cad13e90bc9bb847513681aefa2fc45fd51")
    private static let privateExponent = Vectors.bytes(
        hex: "3e375fd80a3334f7dc48a2a905c50ee6e12efc1367c806fa7360335646d01324"
            + "68aea8087a8f94ec58fbf11855119ff08b9734177d8b3023f36416f798988b7c"
            + "a5b2f6f29bb905d666a6de426e4aeacf9faa8aeb606b5dcc355ccf90a699d55d"
            + "563740ce14aa9381f0816eec98de7f45b291dbf8efb79e488733cb5cfe0f76c1")
    private static let key = RSAPublicKey(modulus: modulus, exponent: [1, 0, 1])

    /// Returns the padded message: RFC 8017, 7.1.2, step 2.
    private static func decrypted(_ ciphertext: [UInt8]) -> [UInt8] {
        let plain = BigNumber(ciphertext).power(BigNumber(privateExponent), modulo: BigNumber(modulus)).bytes
        return [UInt8](repeating: 0, count: modulus.count - plain.count) + plain
    }

    /// RFC 8017, B.2.1, with SHA-1.
    private static func mask(_ seed: [UInt8], count: Int) -> [UInt8] {
        let blocks = (0...UInt8(count / SHA1.byteCount)).flatMap { SHA1.hash(seed + [0, 0, 0, $0]) }
        return Array(blocks[..<count])
    }

    /// Removes OAEP padding: RFC 8017, 7.1.2, step 3; `nil` if the padding is malformed.
    private static func unpadded(_ padded: [UInt8]) -> [UInt8]? {
        let (start, hashCount) = (1 + SHA1.byteCount, SHA1.byteCount)
        guard padded.first == 0 else { return nil }
        let (maskedSeed, masked) = (Array(padded[1..<start]), Array(padded[start...]))
        let seed = zip(maskedSeed, mask(masked, count: hashCount)).map { $0 ^ $1 }
        let block = zip(masked, mask(seed, count: masked.count)).map { $0 ^ $1 }
        guard Array(block[..<hashCount]) == SHA1.hash([]), let end = block[hashCount...].firstIndex(of: 1),
            block[hashCount..<end].allSatisfy({ $0 == 0 })
        else { return nil }
        return Array(block[(end + 1)...])
    }

    @Test("the private key gives the message back, of any length that fits", arguments: [0, 1, 16, 85, 86])
    func decrypts(count: Int) throws {
        let message = (0..<count).map { UInt8($0) }
        let ciphertext = try Self.key.encrypt(message)
        #expect(ciphertext.count == Self.modulus.count)
        #expect(Self.unpadded(Self.decrypted(ciphertext)) == message)
        #expect(try Self.key.encrypt(message) != ciphertext, "the padding is random")
    }

    @Test("a message that does not fit is refused, and so are numbers that are no key")
    func refused() throws {
        #expect(throws: CryptographyError.inputTooLong(byteCount: 87)) {
            try Self.key.encrypt([UInt8](repeating: 1, count: 87))
        }
        for modulus in [[UInt8](), [UInt8](repeating: 0, count: 128)] {
            #expect(throws: CryptographyError.self) {
                try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]).encrypt([])
            }
        }
    }
}
