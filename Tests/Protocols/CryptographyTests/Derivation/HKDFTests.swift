import Testing
import TuttiCryptography

@Suite("HKDF-SHA-512")
struct HKDFTests {
    /// The inputs of RFC 5869, A.1 to A.3; the outputs for SHA-512 computed with another
    /// implementation, since the standard prints SHA-256 and SHA-1 only.
    static let examples: [(String, secret: [UInt8], salt: [UInt8], info: [UInt8], output: String)] = [
        (
            "short", [UInt8](repeating: 0x0B, count: 22), Array(0...12), Array(0xF0...0xF9),
            "832390086cda71fb47625bb5ceb168e4c8e26a1a16ed34d9fc7fe92c1481579338da362cb8d9f925d7cb"
        ),
        (
            "longer than a digest", Array(0...0x4F), Array(0x60...0xAF), Array(0xB0...0xFF),
            """
            ce6c97192805b346e6161e821ed165673b84f400a2b514b2fe23d84cd189ddf1b695b48cbd1c8388441137b3ce28f16a
            a64ba33ba466b24df6cfcb021ecff235f6a2056ce3af1de44d572097a8505d9e7a93
            """
        ),
        (
            "no salt, no info", [UInt8](repeating: 0x0B, count: 22), [], [],
            "f5fa02b18298a72a8c23898a8703472c6eb179dc204c03425c970e3b164bf90fff22d04836d0e2343bac"
        ),
    ]

    @Test("the derived keys match the examples", arguments: examples)
    func derives(name: String, secret: [UInt8], salt: [UInt8], info: [UInt8], output: String) {
        let expected = [UInt8](hex: output)
        for count in [0, 1, expected.count] {
            #expect(
                HKDF.sha512(secret: secret, salt: salt, info: info, count: count)
                    == Array(expected.prefix(count)))
        }
    }

    @Test("the longest output works")
    func longest() {
        let output = HKDF.sha512(secret: [1], salt: [], info: [], count: HKDF.maximumByteCount)
        #expect(output.count == 255 * 64)
        #expect(Array(output.prefix(32)) == HKDF.sha512(secret: [1], salt: [], info: [], count: 32))
    }
}
