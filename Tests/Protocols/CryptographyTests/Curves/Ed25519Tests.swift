import Testing
import TuttiCryptography

@Suite("Ed25519")
struct Ed25519Tests {
    /// RFC 8032, 7.1, tests 1 to 3.
    static let examples: [(seed: String, key: String, message: String, signature: String)] = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            """
            e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
            5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
            """
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            """
            92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
            085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
            """
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            """
            6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
            18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
            """
        ),
    ]

    @Test("the examples of RFC 8032 match", arguments: examples)
    func published(seed: String, key: String, message: String, signature: String) throws {
        let signing = try Ed25519SigningKey([UInt8](hex: seed))
        let message = [UInt8](hex: message)
        #expect(signing.verifyingKey.bytes == [UInt8](hex: key))
        #expect(try signing.signature(for: message) == [UInt8](hex: signature))
        let verifying = try Ed25519VerifyingKey([UInt8](hex: key))
        #expect(verifying.isValid(signature: [UInt8](hex: signature), for: message))
    }

    @Test("any change fails verification")
    func tampered() throws {
        let signing = try Ed25519SigningKey()
        let message: [UInt8] = [1, 2, 3]
        let signature = try signing.signature(for: message)
        let key = signing.verifyingKey
        #expect(key.isValid(signature: signature, for: message))
        #expect(!key.isValid(signature: signature, for: [1, 2, 4]))
        #expect(!(try Ed25519SigningKey().verifyingKey.isValid(signature: signature, for: message)))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 0x10
            #expect(!key.isValid(signature: changed, for: message))
            #expect(!key.isValid(signature: Array(signature.prefix(index)), for: message))
        }
        #expect(!key.isValid(signature: signature + [0], for: message))
    }

    @Test("an invalid public key verifies nothing and does not trap")
    func noPoint() throws {
        let signature = [UInt8](repeating: 1, count: 64)
        for byte in 0...255 as ClosedRange<UInt8> {
            let key = try Ed25519VerifyingKey([UInt8](repeating: byte, count: 32))
            #expect(!key.isValid(signature: signature, for: [byte]))
        }
    }

    @Test("keys of another length are refused", arguments: [0, 31, 33])
    func wrongLength(count: Int) {
        let bytes = [UInt8](repeating: 9, count: count)
        let error = CryptographyError.wrongByteCount(expected: 32, received: count)
        #expect(throws: error) { try Ed25519SigningKey(bytes) }
        #expect(throws: error) { try Ed25519VerifyingKey(bytes) }
    }
}
