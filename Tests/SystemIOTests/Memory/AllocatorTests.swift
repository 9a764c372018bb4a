import Glibc
import Testing

@testable import SystemIO

@Suite("the allocator")
struct AllocatorTests {
    @Test("large blocks go back to the system, also after a larger one was freed")
    func largeBlocks() {
        AllocatorArenas.limit(to: 2)
        free(malloc(24 << 20))
        let before = AllocatorArenas.ownPagesInUse
        let block = malloc(12 << 20)
        let during = AllocatorArenas.ownPagesInUse
        free(block)
        // Other tests of the process have large blocks too, but hardly any of this size.
        #expect(during >= before + (8 << 20))
    }
}
