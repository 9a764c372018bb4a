import CTuttiFFmpeg
import Testing

@testable import TuttiCodecs

@Suite("Encrypted segments")
struct SegmentDecipherTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    // NIST SP 800-38A, F.2.2.
    private static let key = "2b7e151628aed2a6abf7158809cf4f3c"
    private static let vector = "000102030405060708090a0b0c0d0e0f"
    private static let cipher = bytes(
        "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
            + "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7")
    private static let clear = bytes(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
            + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")

    /// Encrypts whole blocks.
    private static func encrypted(_ clear: [UInt8]) throws -> [UInt8] {
        let state = try #require(av_aes_alloc())
        defer { av_free(UnsafeMutableRawPointer(state)) }
        var vector = bytes(Self.vector)
        try #require(av_aes_init(state, bytes(key), 128, 0) >= 0)
        var output = [UInt8](repeating: 0, count: clear.count)
        av_aes_crypt(state, &output, clear, Int32(clear.count / 16), &vector, 0)
        return output
    }

    /// Decrypts bytes that come in pieces, and takes them in pieces of another size.
    private static func decrypted(_ cipher: [UInt8], piece: Int, take: Int) throws -> [UInt8] {
        let decipher = try #require(SegmentDecipher(key: key, vector: vector))
        var clear: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: take)
        func takeAll() {
            while true {
                let count = buffer.withUnsafeMutableBytes { decipher.take(into: $0) }
                if count == 0 { return }
                clear += buffer.prefix(count)
            }
        }
        for start in stride(from: 0, to: cipher.count, by: piece) {
            Array(cipher[start..<min(start + piece, cipher.count)]).withUnsafeBytes {
                decipher.append($0, isLast: false)
            }
            #expect(!decipher.isAtEnd)
            takeAll()
        }
        [UInt8]().withUnsafeBytes { decipher.append($0, isLast: true) }
        takeAll()
        #expect(decipher.isAtEnd)
        return clear
    }

    @Test("blocks are decrypted however they come", arguments: [1, 5, 15, 16, 17, 31, 32, 64, 100])
    func standard(piece: Int) throws {
        for take in [1, 16, 33, 1000] {
            // The last byte is no padding, as the ones before it differ.
            #expect(try Self.decrypted(Self.cipher, piece: piece, take: take) == Self.clear)
        }
    }

    @Test("padding of 1 to 16 bytes is removed", arguments: 1...16)
    func padding(count: Int) throws {
        let sound = [UInt8](repeating: 0xAB, count: 48 - count)
        let cipher = try Self.encrypted(sound + [UInt8](repeating: UInt8(count), count: count))
        for piece in [1, 16, 48] {
            #expect(try Self.decrypted(cipher, piece: piece, take: 7) == sound)
        }
    }

    @Test(
        "an end that is no padding stays",
        arguments: [[0], [17], [2, 3, 3], [0xFF], [1, 2, 4, 4, 4]] as [[UInt8]])
    func noPadding(end: [UInt8]) throws {
        let clear = [UInt8](repeating: 0xAB, count: 32 - end.count) + end
        #expect(try Self.decrypted(Self.encrypted(clear), piece: 16, take: 16) == clear)
    }

    @Test("a segment that is cut inside a block ends with its last whole block")
    func cut() throws {
        for count in 0..<Self.cipher.count {
            let whole = count / 16 * 16
            let clear = try Self.decrypted(Array(Self.cipher.prefix(count)), piece: 16, take: 16)
            #expect(clear == Array(Self.clear.prefix(whole)))
        }
    }

    @Test("a key and a vector have 32 hexadecimal digits")
    func keys() {
        let tail = String(Self.key.dropFirst(2))
        let texts: [String] = ["", "00", tail, Self.key + "00", "0g" + tail, "é" + tail, " 0" + tail]
        for text in texts {
            #expect(SegmentDecipher(key: text, vector: Self.vector) == nil)
            #expect(SegmentDecipher(key: Self.key, vector: text) == nil)
        }
        #expect(SegmentDecipher(key: Self.key.uppercased(), vector: Self.vector) != nil)
    }
}
