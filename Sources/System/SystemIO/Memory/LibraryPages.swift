import CTuttiLinux
import Dispatch
import Glibc

/// The code and constants of shared libraries in this process's memory.
///
/// Loading a library reads its symbols and relocations, and the kernel maps up to 64 KiB around each page that is
/// read. Of 160 libraries, most of which only FFmpeg's own codecs need, that is more memory than all of Tutti's
/// data, and hardly any of it is read again.
package enum LibraryPages {
    /// A segment of a library.
    struct Segment: Equatable {
        /// Its addresses in memory.
        let addresses: Range<UInt>
        /// Whether it is mapped for writing, now or before the loader has protected it.
        let isWritable: Bool
    }

    /// The time after which the start of a program is over: it has read the format of a file and opened its speakers.
    private static let startTime = DispatchTimeInterval.milliseconds(250)

    /// Releases the pages now, which loading has read, and once more when the start is over: it looks for names in all
    /// libraries, and asks each of FFmpeg's formats about a file (*observed*: 13 MB).
    ///
    /// Call it once, at the start of a command that runs long. Returns at once; the second time is on its own thread.
    package static func releaseAroundStart() {
        release()
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + startTime) { release() }
    }

    /// Takes all unwritten pages of libraries out of this process. The kernel's cache keeps them and other programs
    /// that have mapped them too: a page that is used again is mapped again, without a read from the disk.
    ///
    /// Takes about a millisecond, or two on a busy machine, in which other threads run on. Does nothing under a debugger,
    /// whose breakpoints are written into code and would be lost. Any thread.
    static func release() {
        guard !isTraced else { return }
        // During the visit, while the loader's lock is held: the addresses of an unloaded library may be another's.
        shim_visit_libraries { segments, count in
            let library = UnsafeBufferPointer(start: segments, count: Int(count)).map {
                LibraryPages.Segment(
                    addresses: UInt($0.start)..<UInt(max($0.start, $0.end)), isWritable: $0.is_writable != 0)
            }
            for pages in LibraryPages.constantPages(of: library, pageSize: UInt(getpagesize())) {
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
