internal import Synchronization

/// Frames on their way from one writing thread to one reading thread: interleaved 32 bit floats.
///
/// Neither side waits, locks or allocates, so the reader may be a render thread. Positions count frames since
/// the ring was made and never go back.
public final class FrameRing: @unchecked Sendable {
    // Safe to share: frames in [written, read + capacity) belong to the writer, frames in [read, written) to the
    // reader. Only the writer stores `written` and `discarded`, only the reader stores `read`; each is released
    // after the copy that it stands for and acquired by the other side before its own.
    private let storage: UnsafeMutableBufferPointer<Float>
    private let written = Atomic<Int64>(0)
    private let read = Atomic<Int64>(0)
    /// Frames before this position are not to be read any more.
    private let discarded = Atomic<Int64>(0)

    public let channelCount: Int
    /// In frames.
    public let capacity: Int

    /// - Parameters:
    ///   - channelCount: At least 1.
    ///   - capacity: In frames, at least 1.
    public init(channelCount: Int, capacity: Int) {
        precondition(channelCount > 0 && capacity > 0, "a ring holds something")
        self.channelCount = channelCount
        self.capacity = capacity
        storage = .allocate(capacity: channelCount * capacity)
        storage.initialize(repeating: 0)
    }

    deinit { storage.deallocate() }

    // MARK: The writer's side

    /// Frames for which there is room. The reader can only make it more.
    ///
    /// Discarded frames take room until the reader has passed them, at its next ``read(into:)``.
    public var writable: Int {
        capacity - Int(written.load(ordering: .relaxed) - read.load(ordering: .acquiring))
    }

    /// Frames written so far.
    public var writePosition: Int64 { written.load(ordering: .acquiring) }

    /// Copies as many whole frames as there is room for. Only for the writing thread.
    ///
    /// - Returns: The number of frames taken, from the beginning of `frames`.
    public func write(_ frames: UnsafeBufferPointer<Float>) -> Int {
        let position = written.load(ordering: .relaxed)
        let count = min(writable, frames.count / channelCount)
        guard count > 0, let source = frames.baseAddress, let storage = storage.baseAddress else { return 0 }
        let (start, first) = pieces(from: position, count: count)
        (storage + start * channelCount).update(from: source, count: first * channelCount)
        storage.update(from: source + first * channelCount, count: (count - first) * channelCount)
        written.store(position + Int64(count), ordering: .releasing)
        return count
    }

    /// Nothing that was written so far is read any more. Only for the writing thread.
    ///
    /// A read that is under way ends as it began; the next one passes everything discarded.
    public func discardAll() {
        discarded.store(written.load(ordering: .relaxed), ordering: .releasing)
    }

    // MARK: The reader's side

    /// Frames that can be read, without those discarded. The writer makes it more, or with ``discardAll()`` 0.
    public var readable: Int {
        let discarded = discarded.load(ordering: .acquiring)
        let written = written.load(ordering: .acquiring)
        return Int(max(0, written - max(read.load(ordering: .acquiring), discarded)))
    }

    /// Frames read or passed so far. For the reading thread it is after each ``read(into:)`` the position just
    /// behind the last frame it got.
    public var readPosition: Int64 { read.load(ordering: .acquiring) }

    /// Copies as many whole frames as are there and fit; what the destination has beyond them stays as it is.
    /// Only for the reading thread.
    ///
    /// - Returns: The number of frames copied.
    public func read(into destination: UnsafeMutableBufferPointer<Float>) -> Int {
        // `discarded` first: it is never beyond a `written` that is loaded after it.
        let discarded = discarded.load(ordering: .acquiring)
        let position = max(read.load(ordering: .relaxed), discarded)
        let count = min(
            Int(written.load(ordering: .acquiring) - position), destination.count / channelCount)
        if count > 0, let target = destination.baseAddress, let storage = storage.baseAddress {
            let (start, first) = pieces(from: position, count: count)
            target.update(from: storage + start * channelCount, count: first * channelCount)
            (target + first * channelCount).update(from: storage, count: (count - first) * channelCount)
        }
        read.store(position + Int64(count), ordering: .releasing)
        return count
    }

    /// Where a run of frames stands in the storage: its first frame, and how many come before the storage's end.
    private func pieces(from position: Int64, count: Int) -> (start: Int, first: Int) {
        let start = Int(position % Int64(capacity))
        return (start, min(count, capacity - start))
    }
}
