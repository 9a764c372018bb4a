import Testing
import TuttiCryptography

@Suite("Symmetric key")
struct SymmetricKeyTests {
    @Test("a key has exactly 32 bytes", arguments: [0, 1, 31, 33, 64])
    func wrongLength(count: Int) {
        #expect(throws: CryptographyError.wrongByteCount(expected: 32, received: count)) {
            try SymmetricKey([UInt8](repeating: 7, count: count))
        }
    }

    @Test("a key never prints its bytes")
    func redacted() throws {
        let key = try SymmetricKey([UInt8](repeating: 0xAB, count: 32))
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), "\([key])", dumped] {
            #expect(!text.contains("171"))
            #expect(!text.lowercased().contains("ab, ab"))
            #expect(text.contains("redacted"))
        }
    }

    @Test("two random keys differ")
    func random() {
        let key = SymmetricKey()
        #expect(key.bytes.count == 32)
        #expect(key != SymmetricKey())
        #expect(key == key)
    }
}
