import Testing
import TuttiCryptography

@Suite("Secure random")
struct SecureRandomTests {
    @Test("random bytes have the requested count, and differ each time", arguments: [0, 1, 16, 32, 1000])
    func count(count: Int) {
        let bytes = SecureRandom.bytes(count: count)
        #expect(bytes.count == count)
        if count >= 16 { #expect(bytes != SecureRandom.bytes(count: count)) }
    }

    @Test("the generator sets and clears every bit at times")
    func generator() {
        var generator = SecureRandomGenerator()
        let words = (0..<200).map { _ in generator.next() }
        #expect(words.reduce(0, |) == .max)
        #expect(words.reduce(.max, &) == 0)
    }

    @Test("constant-time comparison agrees with ==")
    func equality() {
        let samples: [[UInt8]] = [[], [0], [1], [0, 0], [1, 2, 3], [1, 2, 4], [2, 2, 3]]
        for left in samples {
            for right in samples { #expect(constantTimeEqual(left, right) == (left == right)) }
        }
    }
}
