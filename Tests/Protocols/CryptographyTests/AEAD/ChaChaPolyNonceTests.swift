import Testing
import TuttiCryptography

@Suite("Nonce")
struct ChaChaPolyNonceTests {
    static let counters: [(UInt64, String)] = [
        (0, "00000000 0000000000000000"),
        (1, "00000000 0100000000000000"),
        (0x0102_0304_0506_0708, "00000000 0807060504030201"),
        (.max, "00000000 ffffffffffffffff"),
    ]

    @Test("a counter follows four zero bytes, little-endian", arguments: counters)
    func counter(value: UInt64, hex: String) throws {
        let nonce = ChaChaPolyNonce(counter: value)
        let bytes = [UInt8](hex: hex)
        #expect(nonce.bytes == bytes)
        #expect(nonce.trailingBytes == Array(bytes.suffix(8)))
        #expect(try ChaChaPolyNonce(trailing: bytes.suffix(8)) == nonce)
        #expect(try ChaChaPolyNonce(bytes[...]) == nonce)
    }

    @Test("twelve bytes are kept as given")
    func whole() throws {
        let bytes = (1...12).map { UInt8($0) }
        #expect(try ChaChaPolyNonce(bytes[...]).bytes == bytes)
    }

    @Test("pairing messages use eight ASCII letters")
    func letters() throws {
        #expect(
            try ChaChaPolyNonce(trailing: Array("PS-Msg05".utf8)[...]).bytes == [0, 0, 0, 0] + "PS-Msg05".utf8
        )
    }

    @Test("other lengths are refused", arguments: [0, 1, 7, 9, 11, 13])
    func wrongLength(count: Int) {
        let bytes = [UInt8](repeating: 0, count: count)
        #expect(throws: CryptographyError.wrongByteCount(expected: 8, received: count)) {
            try ChaChaPolyNonce(trailing: bytes[...])
        }
        #expect(throws: CryptographyError.wrongByteCount(expected: 12, received: count)) {
            try ChaChaPolyNonce(bytes[...])
        }
    }
}
