import CTuttiVectors
import Testing
import TuttiTestSupport

@Suite("Sums of products")
struct SumsOfProductsTests {
    @Test(
        "vectors of eight give the sums of vectors of four, bit for bit",
        .enabled(if: shim_has_vectors_of_eight(), "this processor has no vectors of eight"),
        arguments: [8, 24, 64])
    func eightAreFour(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        for start in 0..<200 {
            let numbers = (0..<3 * count + 1).map { _ in Float.random(in: -1...1, using: &random) }
            numbers.withUnsafeBufferPointer { numbers in
                guard let base = numbers.baseAddress else { return }
                // Also where nothing is aligned.
                let sound = base + start % 2
                let four = shim_sums_of_products(sound, sound + count, sound + 2 * count, count)
                let eight = shim_sums_of_products_by_eight(sound, sound + count, sound + 2 * count, count)
                #expect(eight.first.bitPattern == four.first.bitPattern)
                #expect(eight.second.bitPattern == four.second.bitPattern)
            }
        }
    }
}
