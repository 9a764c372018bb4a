internal import CTuttiLinux
internal import Glibc

/// The code and constants of shared libraries in this process's memory.
///
/// Loading a library reads its symbols and relocations, and the kernel maps up to 64 KiB around each page that is
/// read. Of 160 libraries, most of which only FFmpeg's own codecs need, that is more memory than all of Tutti's
/// data, and hardly any of it is read again.
public enum LibraryPages {
    /// A segment of a library.
    struct Segment: Equatable {
        /// Its addresses in memory.
        let addresses: Range<UInt>
        /// Whether it is mapped for writing, now or before the loader has protected it.
        let isWritable: Bool
    }

    /// Takes all unwritten pages of libraries out of this process. The kernel's cache keeps them and other programs
    /// that have mapped them too: a page that is used again is mapped again, without a read from the disk.
    ///
    /// Takes about a millisecond; for programs that run long. Call before threads start whose deadlines are
    /// short. Does nothing under a debugger, whose breakpoints are written into code and would be lost.
    public static func release() {
        guard !isTraced else { return }
        let pageSize = UInt(getpagesize())
        for library in libraries() {
            for pages in constantPages(of: library, pageSize: pageSize) {
                // Refused for locked memory, which then stays.
                _ = madvise(
                    UnsafeMutableRawPointer(bitPattern: pages.lowerBound), pages.count, MADV_DONTNEED)
            }
        }
    }

    /// Returns the whole pages of the segments that nobody writes, without pages that hold a part of a writable
    /// segment too.
    static func constantPages(of library: [Segment], pageSize: UInt) -> [Range<UInt>] {
        let written = library.filter(\.isWritable).map { pages(of: $0, pageSize) }
        return library.filter { !$0.isWritable }.compactMap { segment in
            var own = pages(of: segment, pageSize)
            for others in written where others.overlaps(own) {
                own =
                    others.lowerBound <= own.lowerBound
                    ? min(others.upperBound, own.upperBound)..<own.upperBound
                    : own.lowerBound..<others.lowerBound
            }
            return own.isEmpty ? nil : own
        }
    }

    private static func pages(of segment: Segment, _ pageSize: UInt) -> Range<UInt> {
        let (start, end) = (segment.addresses.lowerBound, segment.addresses.upperBound)
        return start / pageSize * pageSize..<(end + pageSize - 1) / pageSize * pageSize
    }

    /// The segments of each loaded library.
    private static func libraries() -> [[Segment]] {
        var found: [[Segment]] = []
        withUnsafeMutablePointer(to: &found) { found in
            shim_visit_libraries(
                { context, segments, count in
                    let all = UnsafeBufferPointer(start: segments, count: Int(count)).map {
                        Segment(
                            addresses: UInt($0.start)..<UInt(max($0.start, $0.end)),
                            isWritable: $0.is_writable != 0)
                    }
                    context?.assumingMemoryBound(to: [[Segment]].self).pointee.append(all)
                }, found)
        }
        return found
    }

    /// Whether a debugger or another tracer is attached, or nobody can tell.
    private static var isTraced: Bool {
        guard let file = fopen("/proc/self/status", "re") else { return true }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
        return !lines.contains("TracerPid:\t0")
    }
}
