internal import Synchronization

/// Stereo sound for the frames of a device, from one on: between the mixing thread, which writes, and the render
/// thread, which reads. A ring addressed by the device's own count of frames.
final class RenderTrack: @unchecked Sendable {
    // Safe to share: the writer alone moves `end`, and writes frames in [end, limit) only, where the limit is one
    // capacity behind what the reader has passed; the reader reads [first, end) only. The writer begins anew only when
    // the reader is elsewhere (RenderDesk). Both bounds are atomics that order the samples.

    /// 0.34 s at 48 kHz; a power of two.
    static let capacity = 1 << 14
    private static let mask = Int64(capacity - 1)

    private let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: capacity * 2)
    private let firstFrame = Atomic<Int64>(0)
    private let endFrame = Atomic<Int64>(0)

    init() { samples.initialize(repeating: 0) }

    deinit { samples.deallocate() }

    /// The frame behind the last one written. For the writer.
    var end: Int64 { endFrame.load(ordering: .acquiring) }

    /// Starts over. For the writer, while nobody reads.
    func begin(at frame: Int64) {
        firstFrame.store(frame, ordering: .releasing)
        endFrame.store(frame, ordering: .releasing)
    }

    /// Appends frames of stereo.
    ///
    /// - Precondition: They reach at most ``capacity`` frames beyond what was read.
    func write(_ frames: UnsafePointer<Float>, count: Int) {
        guard let base = samples.baseAddress else { return }
        let end = endFrame.load(ordering: .relaxed)
        let start = Int(end & Self.mask)
        let first = min(count, Self.capacity - start)
        (base + start * 2).update(from: frames, count: first * 2)
        base.update(from: frames + first * 2, count: (count - first) * 2)
        endFrame.store(end + Int64(count), ordering: .releasing)
    }

    /// One frame, if it is there. For the reader; neither allocates nor waits.
    @inline(__always)
    func frame(_ frame: Int64) -> (left: Float, right: Float) {
        let start = Int(frame & Self.mask) * 2
        return (samples[start], samples[start + 1])
    }

    /// What can be read of `count` frames from `frame` on. For the reader.
    func readable(from frame: Int64, count: Int) -> Range<Int64> {
        let first = max(frame, firstFrame.load(ordering: .acquiring))
        let end = min(frame + Int64(count), endFrame.load(ordering: .acquiring))
        return first..<max(first, end)
    }
}
