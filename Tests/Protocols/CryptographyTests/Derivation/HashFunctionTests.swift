import Testing
import TuttiCryptography

@Suite("Hash functions")
struct HashFunctionTests {
    /// FIPS 180 examples.
    @Test("SHA-512 of abc and of nothing match the standard")
    func sha512() {
        #expect(
            SHA512.hash(Array("abc".utf8))
                == [UInt8](
                    hex: """
                        ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
                        2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                        """))
        #expect(
            SHA512.hash([])
                == [UInt8](
                    hex: """
                        cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce
                        47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
                        """))
    }

    @Test("SHA-1 of abc and of nothing match the standard")
    func sha1() {
        #expect(SHA1.hash(Array("abc".utf8)) == [UInt8](hex: "a9993e364706816aba3e25717850c26c9cd0d89d"))
        #expect(SHA1.hash([]) == [UInt8](hex: "da39a3ee5e6b4b0d3255bfef95601890afd80709"))
    }
}
