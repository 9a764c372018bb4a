import Foundation

/// A run of bytes made of pieces of memory that are shared, not copied.
///
/// A buffer made with no memory of its own gets it when it is first written, or by
/// ``assureBlockMemory()``; reading before that throws ``Error/unallocatedBlock``. A buffer with one piece
/// is contiguous, and reading it takes no copy.
///
/// Any thread may append and read. Two threads that write and read the same bytes at the same time must
/// agree among themselves. A buffer given out by a sample buffer must no longer be changed.
public final class CMBlockBuffer: @unchecked Sendable {
    // Safe to share: the list of segments is only touched under its lock, and segments never change.

    /// Frees memory that was handed to a buffer: its address and its length.
    public typealias CustomBlockDeallocator = (UnsafeMutableRawPointer, Int) -> Void

    private struct State {
        var segments: [BlockSegment] = []
        var length = 0
    }

    private let lock = NSLock()
    private var state = State()

    init(segments: [BlockSegment]) {
        state.segments = segments.filter { $0.length > 0 }
        state.length = segments.reduce(0) { $0 + $1.length }
    }

    var segments: [BlockSegment] { lock.withLock { state.segments } }

    /// How many bytes the buffer has.
    public var dataLength: Int { lock.withLock { state.length } }

    /// Whether the bytes lie in one piece.
    public var isContiguous: Bool { lock.withLock { state.segments.count == 1 } }

    /// Whether there is no byte.
    public var isEmpty: Bool { dataLength == 0 }

    func append(_ added: [BlockSegment]) throws {
        try lock.withLock {
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

    /// The only segment of a contiguous buffer.
    var onlySegment: BlockSegment? {
        lock.withLock { state.segments.count == 1 ? state.segments[0] : nil }
    }
}

extension CMBlockBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (left: CMBlockBuffer, right: CMBlockBuffer) -> Bool { left === right }

    /// Hashes which object this is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CMBlockBuffer {
    /// Allocates the memory of every piece that has none yet.
    public func assureBlockMemory() throws {
        for segment in segments { _ = try segment.assured() }
    }

    /// The segments that hold `length` bytes from `offset` on.
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
