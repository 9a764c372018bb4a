import Synchronization

/// A ring of stereo frames between the mixing thread, which writes, and the render thread, which reads;
/// addressed by the device's frame count.
final class RenderTrack: @unchecked Sendable {
    // Safe to share: only the writer moves `end`, and writes frames in [end, limit) only, where the limit is
    // one capacity beyond the frames that the reader has passed; the reader reads [first, end) only. The
    // writer restarts a track only while the reader uses another (RenderHandoff). Both bounds are atomics that
    // order the samples. Only the reader moves a `shift` that is `floating`, once.

    /// Frames of the ring, a power of two: 0.34 s at 48 kHz.
    static let capacity = 1 << 14
    private static let mask = Int64(capacity - 1)

    private let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: capacity * 2)
    // In the track's own frame count: the device's less `shift`.
    private let firstFrame = Atomic<Int64>(0)
    private let endFrame = Atomic<Int64>(0)
    private let shift = Atomic<Int64>(0)
    private let stopFrame = Atomic<Int64>(.max)
    /// Marks a `shift` that the reader sets at its first read.
    private static let floating = Int64.min

    init() { samples.initialize(repeating: 0) }

    deinit { samples.deallocate() }

    /// The frame after the last one written. Writer only.
    var end: Int64 { endFrame.load(ordering: .acquiring) + (delay ?? 0) }

    /// Starts over. Writer only, while the reader does not use this track.
    ///
    /// - Parameter floats: Whether the first frame is heard at the first device frame that is read, `frame`
    ///   or later.
    func begin(at frame: Int64, floats: Bool = false) {
        firstFrame.store(frame, ordering: .releasing)
        endFrame.store(frame, ordering: .releasing)
        shift.store(floats ? Self.floating : 0, ordering: .releasing)
        stopFrame.store(.max, ordering: .releasing)
    }

    /// The device frame from which the track is silent; `.max` while it has no end. The writer sets it. In one order
    /// with ``RenderHandoff/soundEnd``: a call of the render thread that is not counted there sees the stop.
    var stop: Int64 {
        get { stopFrame.load(ordering: .sequentiallyConsistent) }
        set { stopFrame.store(newValue, ordering: .sequentiallyConsistent) }
    }

    /// Frames that a floating track begins later than written for; `nil` until the first read. Writer only.
    var delay: Int64? {
        let shift = shift.load(ordering: .acquiring)
        return shift == Self.floating ? nil : shift
    }

    /// Converts a device frame to the track's own count. Reader only; a floating track begins at this frame.
    func own(_ frame: Int64) -> Int64 {
        var shift = shift.load(ordering: .acquiring)
        if shift == Self.floating {
            shift = frame - firstFrame.load(ordering: .acquiring)
            self.shift.store(shift, ordering: .releasing)
        }
        return frame - shift
    }

    /// Appends frames of interleaved stereo.
    ///
    /// - Precondition: The frames end at most ``capacity`` frames beyond what was read.
    func write(_ frames: UnsafePointer<Float>, count: Int) {
        guard let base = samples.baseAddress else { return }
        let end = endFrame.load(ordering: .relaxed)
        let start = Int(end & Self.mask)
        let first = min(count, Self.capacity - start)
        (base + start * 2).update(from: frames, count: first * 2)
        base.update(from: frames + first * 2, count: (count - first) * 2)
        endFrame.store(end + Int64(count), ordering: .releasing)
    }

    /// Returns one frame by the track's own count. Reader only; neither allocates nor waits.
    @inline(__always)
    func frame(_ frame: Int64) -> (left: Float, right: Float) {
        let start = Int(frame & Self.mask) * 2
        return (samples[start], samples[start + 1])
    }

    /// Returns the readable part of `count` frames from `frame` on, in the track's own count. Reader only.
    func readable(from frame: Int64, count: Int) -> Range<Int64> {
        let first = max(frame, firstFrame.load(ordering: .acquiring))
        let end = min(frame + Int64(count), endFrame.load(ordering: .acquiring))
        return first..<max(first, end)
    }
}
