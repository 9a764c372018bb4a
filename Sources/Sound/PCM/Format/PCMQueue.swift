import TuttiWire

/// A first-in, first-out queue of frames of one format.
///
/// Appending and taking cost one copy of the frames; each byte is moved at most once more. Not shared between
/// threads; the owner bounds ``frameCount``.
package struct PCMQueue: Sendable {
    /// The format of the frames.
    package let format: PCMFormat
    private var bytes = IndexedQueue<UInt8>(compaction: .onAppend)

    /// Creates an empty queue.
    package init(format: PCMFormat) { self.format = format }

    /// The number of queued frames.
    package var frameCount: Int { bytes.count / format.bytesPerFrame }

    /// Whether no frames are queued.
    package var isEmpty: Bool { bytes.isEmpty }

    /// Appends the frames of a buffer.
    ///
    /// - Precondition: the formats are equal.
    package mutating func append(_ buffer: PCMBuffer) {
        precondition(buffer.format == format, "formats differ")
        bytes.append(contentsOf: buffer.bytes)
    }

    /// Appends raw frames; an incomplete last frame is dropped.
    package mutating func append(_ frames: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: frames.prefix(frames.count / format.bytesPerFrame * format.bytesPerFrame))
    }

    /// Appends silence after all queued frames.
    package mutating func appendSilence(frameCount: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(0, frameCount) * format.bytesPerFrame))
    }

    /// Takes as many whole frames as fit into the destination.
    ///
    /// - Returns: The number of frames copied.
    package mutating func read(into destination: UnsafeMutableRawBufferPointer) -> Int {
        let count = peek(into: destination)
        dropFirst(frameCount: count)
        return count
    }

    /// Takes up to `frameCount` frames.
    package mutating func read(frameCount: Int) -> PCMBuffer {
        PCMBuffer(format: format, capacity: min(max(0, frameCount), self.frameCount)) { read(into: $0) }
    }

    /// Copies frames from the front without taking them.
    ///
    /// - Returns: The number of frames copied.
    package func peek(into destination: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(destination.count / format.bytesPerFrame, frameCount)
        let byteCount = count * format.bytesPerFrame
        bytes.withUnsafeBufferPointer {
            destination.copyMemory(from: .init(UnsafeBufferPointer(rebasing: $0[..<byteCount])))
        }
        return count
    }

    /// Lends up to `frameCount` frames from the front without copying or taking them.
    package func withFirst<Result, Failure: Error>(
        frameCount: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let byteCount = min(max(0, frameCount), self.frameCount) * format.bytesPerFrame
        return try bytes.withUnsafeBufferPointer {
            (all: UnsafeBufferPointer<UInt8>) throws(Failure) -> Result in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[..<byteCount])))
        }
    }

    /// Drops up to `frameCount` frames from the front.
    ///
    /// - Returns: The number of frames dropped.
    @discardableResult
    package mutating func dropFirst(frameCount: Int) -> Int {
        let count = min(max(0, frameCount), self.frameCount)
        bytes.removeFirst(count * format.bytesPerFrame)
        return count
    }

    /// Drops up to `frameCount` frames from the end, the latest ones.
    ///
    /// - Returns: The number of frames dropped.
    @discardableResult
    package mutating func dropLast(frameCount: Int) -> Int {
        let count = min(max(0, frameCount), self.frameCount)
        bytes.truncate(to: bytes.count - count * format.bytesPerFrame)
        return count
    }

    /// Drops all frames and keeps the storage.
    package mutating func removeAll() { bytes.removeAll() }
}
