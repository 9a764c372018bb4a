import Testing
import TuttiTestSupport

@testable import TuttiCryptography

@Suite("AES with 128-bit keys, as a chain of blocks")
struct AES128BlockChainTests {
    private static func encrypted(
        _ message: [UInt8], by chain: inout AES128BlockChain
    ) throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: message.count)
        let result = output.withUnsafeMutableBytes { room in
            message.withUnsafeBytes { bytes in
                Result { () throws(CryptographyError) in
                    try chain.encryptWholeBlocks(of: bytes, into: room)
                }
            }
        }
        try result.get()
        return output
    }

    /// NIST SP 800-38A, F.2.1.
    @Test("whole blocks give the published ciphertext, each time anew; the bytes after them stay as they are")
    func published() throws {
        var chain = try AES128BlockChain(
            key: Vectors.bytes(hex: "2b7e151628aed2a6abf7158809cf4f3c"), iv: Array(0...15))
        let plain = Vectors.bytes(
            hex: "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
        let sealed = Vectors.bytes(
            hex: "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2")
        for _ in 0..<2 {
            for count in [0, 1, 15, 16, 17, 31, 32] {
                let whole = count / 16 * 16
                let expected = Array(sealed[..<whole] + plain[whole..<count])
                #expect(try Self.encrypted(Array(plain[..<count]), by: &chain) == expected)
            }
        }
    }

    @Test("keys and vectors of another length are refused", arguments: [0, 15, 17, 32])
    func lengths(count: Int) {
        let bytes = [UInt8](repeating: 0, count: count)
        let error = CryptographyError.wrongByteCount(expected: 16, received: count)
        #expect(throws: error) { _ = try AES128BlockChain(key: bytes, iv: Array(0...15)) }
        #expect(throws: error) { _ = try AES128BlockChain(key: Array(0...15), iv: bytes) }
    }

    @Test("an output that is too short is refused")
    func room() throws {
        var chain = try AES128BlockChain(key: Array(0...15), iv: Array(0...15))
        var output = [UInt8](repeating: 0, count: 31)
        let message = [UInt8](repeating: 1, count: 32)
        let result = output.withUnsafeMutableBytes { room in
            message.withUnsafeBytes { bytes in
                Result { () throws(CryptographyError) in
                    try chain.encryptWholeBlocks(of: bytes, into: room)
                }
            }
        }
        #expect(throws: CryptographyError.outputTooSmall(needed: 32, available: 31)) { try result.get() }
    }
}
