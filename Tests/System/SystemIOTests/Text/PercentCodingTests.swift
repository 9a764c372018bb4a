import Testing
import TuttiSystemIO

@Suite("Percent coding")
struct PercentCodingTests {
    @Test("bytes that are not kept become a percent sign and two digits")
    func encodes() {
        #expect(
            PercentCoding.encode("a:b/c ü-1%\n", keeping: PercentCoding.isUnreserved)
                == "a%3Ab%2Fc%20%C3%BC-1%25%0A")
        #expect(PercentCoding.encode("a\u{301}", keeping: { _ in true }) == "a%CC%81")
        #expect(PercentCoding.encode("50%", keeping: { _ in true }) == "50%25")
        #expect(PercentCoding.encode("", keeping: PercentCoding.isUnreserved).isEmpty)
    }

    @Test("decoding returns the bytes that were encoded, in either case of the digits")
    func decodes() {
        let text = "a:b/c ü-1%\u{0}"
        let coded = PercentCoding.encode(text, keeping: PercentCoding.isUnreserved)
        #expect(PercentCoding.decode(coded) == Array(text.utf8))
        #expect(PercentCoding.decode("%c3%BC%FF"[...]) == [0xC3, 0xBC, 0xFF])
    }

    @Test(
        "a percent sign without two hexadecimal digits behind it is refused",
        arguments: ["%", "%1", "a%", "%+1", "%-1", "% 1", "%1g", "%%41", "%é1", "%1\u{301}"])
    func refuses(text: String) { #expect(PercentCoding.decode(text) == nil) }
}
