import Foundation
import Synchronization

/// A sequence of bytes in segments of memory that buffers share instead of copying.
///
/// A buffer created without memory allocates it on the first write or in ``assureBlockMemory()``; reading
/// before that throws ``Error/unallocatedBlock``. A buffer with one segment is contiguous, and reading it
/// takes no copy.
///
/// Any thread may append and read. Threads that write and read the same bytes concurrently must synchronise
/// themselves. Do not change a buffer after a sample buffer has handed it out.
public final class CMBlockBuffer: Sendable {
    /// A function that frees memory which a buffer took over. Receives the address and the length in bytes.
    public typealias CustomBlockDeallocator = (UnsafeMutableRawPointer, Int) -> Void

    private struct State {
        var segments: [BlockSegment]
        var length: Int
    }

    private let state: Mutex<State>

    init(segments: [BlockSegment]) {
        state = Mutex(
            State(
                segments: segments.filter { $0.length > 0 },
                length: segments.reduce(0) { $0 + $1.length }))
    }

    var segments: [BlockSegment] { state.withLock { $0.segments } }

    /// The number of bytes.
    public var dataLength: Int { state.withLock { $0.length } }

    /// Whether the bytes lie in one segment.
    public var isContiguous: Bool { state.withLock { $0.segments.count == 1 } }

    /// Whether the buffer has no bytes.
    public var isEmpty: Bool { dataLength == 0 }

    func append(_ added: [BlockSegment]) throws {
        try state.withLock { state in
            var length = state.length
            for segment in added {
                let (sum, overflow) = length.addingReportingOverflow(segment.length)
                if overflow { throw Error.badLengthParameter }
                length = sum
            }
            state.segments.append(contentsOf: added.lazy.filter { $0.length > 0 })
            state.length = length
        }
    }

    /// The only segment of a contiguous buffer, else `nil`.
    var onlySegment: BlockSegment? {
        state.withLock { $0.segments.count == 1 ? $0.segments[0] : nil }
    }
}

extension CMBlockBuffer: Hashable {
    /// Returns whether both are the same object.
    public static func == (left: CMBlockBuffer, right: CMBlockBuffer) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CMBlockBuffer {
    /// Allocates the memory of every segment that has none yet.
    public func assureBlockMemory() throws {
        for segment in segments { _ = try segment.assured() }
    }

    /// Returns the segments that hold `length` bytes from `offset` on.
    func segments(from offset: Int, length: Int) throws -> [BlockSegment] {
        let all = segments
        let total = all.reduce(0) { $0 + $1.length }
        guard offset >= 0, offset <= total else { throw Error.badOffsetParameter }
        guard length >= 0, length <= total - offset else { throw Error.badLengthParameter }
        var found: [BlockSegment] = []
        var (skip, missing) = (offset, length)
        for segment in all where missing > 0 {
            if skip >= segment.length {
                skip -= segment.length
                continue
            }
            let count = min(segment.length - skip, missing)
            found.append(BlockSegment(block: segment.block, offset: segment.offset + skip, length: count))
            (skip, missing) = (0, missing - count)
        }
        return found
    }
}
