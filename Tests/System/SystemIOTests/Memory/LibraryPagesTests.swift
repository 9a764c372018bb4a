import Glibc
import Testing

@testable import TuttiSystemIO

@Suite("Pages of libraries")
struct LibraryPagesTests {
    private typealias Segment = LibraryPages.Segment

    /// The layout of most libraries: headers and symbols, code, constants, data.
    private static let usual = [
        Segment(addresses: 0x10000..<0x12345, isWritable: false),
        Segment(addresses: 0x13000..<0x20010, isWritable: false),
        Segment(addresses: 0x21000..<0x23800, isWritable: false),
        Segment(addresses: 0x24d10..<0x26000, isWritable: true),
    ]

    @Test("whole pages of segments that are not writable are released")
    func constants() {
        #expect(
            LibraryPages.constantPages(of: Self.usual, pageSize: 0x1000)
                == [0x10000..<0x13000, 0x13000..<0x21000, 0x21000..<0x24000])
    }

    @Test("a page that a writable segment shares stays, on either side of it")
    func sharedPages() {
        let library = [
            Segment(addresses: 0x10000..<0x12345, isWritable: false),
            Segment(addresses: 0x12345..<0x13400, isWritable: true),
            Segment(addresses: 0x13400..<0x15000, isWritable: false),
        ]
        #expect(
            LibraryPages.constantPages(of: library, pageSize: 0x1000)
                == [0x10000..<0x12000, 0x14000..<0x15000])
    }

    @Test("a library on one large page with its data stays whole")
    func largePages() {
        #expect(LibraryPages.constantPages(of: Self.usual, pageSize: 0x40000) == [])
    }

    @Test("code that was read leaves memory, and is the same when it is read again")
    func release() throws {
        // A library whose code no other test runs.
        let library = try #require(dlopen("libresolv.so.2", RTLD_NOW))
        let function = try #require(dlsym(library, "inet_neta"))
        let before = (0..<16).map { function.load(fromByteOffset: $0, as: UInt8.self) }
        #expect(isMapped(function))
        LibraryPages.release()
        #expect(!isMapped(function))
        #expect((0..<16).map { function.load(fromByteOffset: $0, as: UInt8.self) } == before)
        #expect(isMapped(function))
    }

    /// Whether the page of an address is in this process's memory, according to the kernel's table of pages.
    private func isMapped(_ address: UnsafeMutableRawPointer) -> Bool {
        let table = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)
        defer { close(table) }
        var entry: UInt64 = 0
        let place = UInt(bitPattern: address) / UInt(getpagesize()) * 8
        return pread(table, &entry, 8, off_t(place)) == 8 && entry >> 63 == 1
    }
}
