internal import Synchronization

/// Stereo sound for the frames of a device, from one on: between the mixing thread, which writes, and the render
/// thread, which reads. A ring addressed by the device's own count of frames.
final class RenderTrack: @unchecked Sendable {
    // Safe to share: the writer alone moves `end`, and writes frames in [end, limit) only, where the limit is one
    // capacity behind what the reader has passed; the reader reads [first, end) only. The writer begins anew only when
    // the reader is elsewhere (RenderDesk). Both bounds are atomics that order the samples. The reader alone moves a
    // `shift` that is `floating`, once.

    /// 0.34 s at 48 kHz; a power of two.
    static let capacity = 1 << 14
    private static let mask = Int64(capacity - 1)

    private let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: capacity * 2)
    // In the track's own count, which is the device's less `shift`.
    private let firstFrame = Atomic<Int64>(0)
    private let endFrame = Atomic<Int64>(0)
    private let shift = Atomic<Int64>(0)
    /// The reader sets `shift` when it reads first.
    private static let floating = Int64.min

    init() { samples.initialize(repeating: 0) }

    deinit { samples.deallocate() }

    /// The frame behind the last one written. For the writer.
    var end: Int64 { endFrame.load(ordering: .acquiring) + (delay ?? 0) }

    /// Starts over. For the writer, while nobody reads.
    ///
    /// - Parameter floats: the first frame is heard at the first frame of the device that is read, `frame` or later.
    func begin(at frame: Int64, floats: Bool = false) {
        firstFrame.store(frame, ordering: .releasing)
        endFrame.store(frame, ordering: .releasing)
        shift.store(floats ? Self.floating : 0, ordering: .releasing)
    }

    /// Frames by which a floating track begins later than it was written for; `nil` until it is read. For the writer.
    var delay: Int64? {
        let shift = shift.load(ordering: .acquiring)
        return shift == Self.floating ? nil : shift
    }

    /// A frame of the device in the track's own count. For the reader: a floating track begins with it.
    func own(_ frame: Int64) -> Int64 {
        var shift = shift.load(ordering: .acquiring)
        if shift == Self.floating {
            shift = frame - firstFrame.load(ordering: .acquiring)
            self.shift.store(shift, ordering: .releasing)
        }
        return frame - shift
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

    /// One frame in the track's own count, if it is there. For the reader; neither allocates nor waits.
    @inline(__always)
    func frame(_ frame: Int64) -> (left: Float, right: Float) {
        let start = Int(frame & Self.mask) * 2
        return (samples[start], samples[start + 1])
    }

    /// The readable part of `count` frames from `frame` on, in the track's own count. For the reader.
    func readable(from frame: Int64, count: Int) -> Range<Int64> {
        let first = max(frame, firstFrame.load(ordering: .acquiring))
        let end = min(frame + Int64(count), endFrame.load(ordering: .acquiring))
        return first..<max(first, end)
    }
}
