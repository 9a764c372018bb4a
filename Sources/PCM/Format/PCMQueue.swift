/// Frames of one format, first in, first out.
///
/// Appending and taking cost a copy of the frames that move and nothing else: taken frames stay in
/// front of the storage until they are at least half of it, so each byte is moved at most once more.
/// A value of its owner, not shared between threads; the owner bounds ``frameCount``.
public struct PCMQueue: Sendable {
    /// Below this many bytes of taken frames the storage is not tidied up.
    private static let tidyThreshold = 64 * 1024

    public let format: PCMFormat
    private var bytes: [UInt8] = []
    private var head = 0

    public init(format: PCMFormat) { self.format = format }

    /// Frames waiting.
    public var frameCount: Int { (bytes.count - head) / format.bytesPerFrame }

    public var isEmpty: Bool { head == bytes.count }

    public mutating func reserve(frameCount: Int) {
        bytes.reserveCapacity(max(0, frameCount) * format.bytesPerFrame)
    }

    /// - Precondition: The formats are equal.
    public mutating func append(_ buffer: PCMBuffer) {
        precondition(buffer.format == format, "formats differ")
        bytes.append(contentsOf: buffer.bytes)
    }

    /// Appends raw frames; a last incomplete frame is dropped.
    public mutating func append(_ frames: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: frames.prefix(frames.count / format.bytesPerFrame * format.bytesPerFrame))
    }

    /// Puts silence behind everything that waits.
    public mutating func appendSilence(frameCount: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(0, frameCount) * format.bytesPerFrame))
    }

    /// Puts silence `frame` frames behind the front; clamped to what is there. Moves what lies behind it.
    public mutating func insertSilence(frameCount: Int, at frame: Int) {
        let offset = head + min(max(0, frame), self.frameCount) * format.bytesPerFrame
        bytes.insert(
            contentsOf: repeatElement(0, count: max(0, frameCount) * format.bytesPerFrame), at: offset)
    }

    /// Copies as many whole frames as there are, up to the destination's size, and takes them out.
    ///
    /// - Returns: The number of frames copied.
    public mutating func read(into destination: UnsafeMutableRawBufferPointer) -> Int {
        let count = peek(into: destination)
        dropFirst(frameCount: count)
        return count
    }

    /// Takes out up to `frameCount` frames.
    public mutating func read(frameCount: Int) -> PCMBuffer {
        PCMBuffer(format: format, capacity: min(max(0, frameCount), self.frameCount)) { read(into: $0) }
    }

    /// Copies frames from the front and leaves them in the queue.
    public func peek(into destination: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(destination.count / format.bytesPerFrame, frameCount)
        let byteCount = count * format.bytesPerFrame
        bytes.withUnsafeBytes { destination.copyMemory(from: .init(rebasing: $0[head..<head + byteCount])) }
        return count
    }

    /// Lends the first frames without copying or taking them, at most `frameCount` of them.
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

    /// Takes out up to `frameCount` frames unread.
    ///
    /// - Returns: The number of frames dropped.
    @discardableResult
    public mutating func dropFirst(frameCount: Int) -> Int {
        let count = min(max(0, frameCount), self.frameCount)
        head += count * format.bytesPerFrame
        tidy()
        return count
    }

    /// Takes out up to `frameCount` frames at the end, the ones appended last.
    ///
    /// - Returns: The number of frames dropped.
    @discardableResult
    public mutating func dropLast(frameCount: Int) -> Int {
        let count = min(max(0, frameCount), self.frameCount)
        bytes.removeLast(count * format.bytesPerFrame)
        return count
    }

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
