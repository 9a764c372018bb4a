import Glibc
import Testing

@testable import TuttiSystemIO

@Suite("The allocator")
struct AllocatorTests {
    @Test("large blocks have pages of their own, also after a larger one was freed")
    func largeBlocks() {
        AllocatorArenas.limit(to: 2)
        free(malloc(24 << 20))
        let before = AllocatorArenas.ownPagesInUse
        // More than the free memory that other tests of this process have left to the allocator.
        let blocks = (0..<64).map { _ in malloc(12 << 20) }
        let during = AllocatorArenas.ownPagesInUse
        for block in blocks { free(block) }
        #expect(during >= before + (12 << 20))
    }
}
