/// A first-in, first-out queue of frames of one format.
///
/// Appending and taking cost one copy of the frames: taken frames stay in front of the storage until they are
/// at least half of it, so each byte is moved at most once more. Not shared between threads; the owner bounds
/// ``frameCount``.
public struct PCMQueue: Sendable {
    /// Fewer bytes of taken frames are not compacted.
    private static let tidyThreshold = 64 * 1024

    /// The format of the frames.
    public let format: PCMFormat
    private var bytes: [UInt8] = []
    private var head = 0

    /// Creates an empty queue.
    public init(format: PCMFormat) { self.format = format }

    /// The number of queued frames.
    public var frameCount: Int { (bytes.count - head) / format.bytesPerFrame }

    /// Whether no frames are queued.
    public var isEmpty: Bool { head == bytes.count }

    /// Reserves storage for `frameCount` frames.
    public mutating func reserve(frameCount: Int) {
        bytes.reserveCapacity(max(0, frameCount) * format.bytesPerFrame)
    }

    /// Appends the frames of a buffer.
    ///
    /// - Precondition: the formats are equal.
    public mutating func append(_ buffer: PCMBuffer) {
        precondition(buffer.format == format, "formats differ")
        bytes.append(contentsOf: buffer.bytes)
    }

    /// Appends raw frames; an incomplete last frame is dropped.
    public mutating func append(_ frames: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: frames.prefix(frames.count / format.bytesPerFrame * format.bytesPerFrame))
    }

    /// Appends silence after all queued frames.
    public mutating func appendSilence(frameCount: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(0, frameCount) * format.bytesPerFrame))
    }

    /// Inserts silence `frame` frames after the front, clamped to the queue. Moves the frames after it.
    public mutating func insertSilence(frameCount: Int, at frame: Int) {
        let offset = head + min(max(0, frame), self.frameCount) * format.bytesPerFrame
        bytes.insert(
            contentsOf: repeatElement(0, count: max(0, frameCount) * format.bytesPerFrame), at: offset)
    }

    /// Takes as many whole frames as fit into the destination.
    ///
    /// - Returns: the number of frames copied.
    public mutating func read(into destination: UnsafeMutableRawBufferPointer) -> Int {
        let count = peek(into: destination)
        dropFirst(frameCount: count)
        return count
    }

    /// Takes up to `frameCount` frames.
    public mutating func read(frameCount: Int) -> PCMBuffer {
        PCMBuffer(format: format, capacity: min(max(0, frameCount), self.frameCount)) { read(into: $0) }
    }

    /// Copies frames from the front without taking them.
    ///
    /// - Returns: the number of frames copied.
    public func peek(into destination: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(destination.count / format.bytesPerFrame, frameCount)
        let byteCount = count * format.bytesPerFrame
        bytes.withUnsafeBytes { destination.copyMemory(from: .init(rebasing: $0[head..<head + byteCount])) }
        return count
    }

    /// Lends up to `frameCount` frames from the front without copying or taking them.
    public func withFirst<Result, Failure: Error>(
        frameCount: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let byteCount = min(max(0, frameCount), self.frameCount) * format.bytesPerFrame
        let start = head
        return try bytes.withUnsafeBufferPointer {
            (all: UnsafeBufferPointer<UInt8>) throws(Failure) -> Result in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[start..<start + byteCount])))
        }
    }

    /// Drops up to `frameCount` frames from the front.
    ///
    /// - Returns: the number of frames dropped.
    @discardableResult
    public mutating func dropFirst(frameCount: Int) -> Int {
        let count = min(max(0, frameCount), self.frameCount)
        head += count * format.bytesPerFrame
        tidy()
        return count
    }

    /// Drops up to `frameCount` frames from the end, the latest ones.
    ///
    /// - Returns: the number of frames dropped.
    @discardableResult
    public mutating func dropLast(frameCount: Int) -> Int {
        let count = min(max(0, frameCount), self.frameCount)
        bytes.removeLast(count * format.bytesPerFrame)
        return count
    }

    /// Drops all frames and keeps the storage.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        head = 0
    }

    private mutating func tidy() {
        if head == bytes.count {
            removeAll()
        } else if head >= Self.tidyThreshold, head >= bytes.count / 2 {
            bytes.removeFirst(head)
            head = 0
        }
    }
}
