import CTuttiPulse
import Glibc
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// Fills a stream's requests from a source. Confined to the thread of the stream's loop.
struct PulseFeeder {
    /// Target latency between the source and the sink's own buffer.
    private static let targetLatency = Duration.milliseconds(50)

    private let format: PCMFormat
    private let periodFrames: Int
    private var frame: Int64 = 0
    /// The first frame of the current stream.
    private var streamStart: Int64 = 0
    /// The instant of the server's last snapshot that was observed, microseconds of the time of day.
    private var lastSnapshot: Int64 = 0
    private var clock: DeviceClock

    init(format: PCMFormat, periodFrames: Int) {
        self.format = format
        self.periodFrames = periodFrames
        clock = DeviceClock(sampleRate: format.sampleRate)
    }

    var bufferAttributes: pa_buffer_attr {
        let target = max(
            2 * periodFrames, Int(format.sampleRate.frames(in: Self.targetLatency.wholeNanoseconds)))
        return pa_buffer_attr(
            maxlength: .max, tlength: UInt32(clamping: target * format.bytesPerFrame), prebuf: .max,
            minreq: UInt32(clamping: periodFrames * format.bytesPerFrame), fragsize: .max)
    }

    /// Discards known times after the stream stalled or moved.
    mutating func reset() { clock.reset() }

    /// Begins a new stream.
    mutating func begin() {
        reset()
        (streamStart, lastSnapshot) = (frame, 0)
    }

    /// Writes the requested bytes to the stream, a period at a time.
    ///
    /// Writes silence without asking the source while the play time of the next frame is unknown.
    mutating func feed(_ stream: OpaquePointer, byteCount: Int, source: any RenderSource) {
        var frames = byteCount / format.bytesPerFrame
        while frames > 0 {
            var bytes = min(frames, periodFrames) * format.bytesPerFrame
            var room: UnsafeMutableRawPointer?
            guard pa_stream_begin_write(stream, &room, &bytes) >= 0, let room else { return }
            let count = min(frames, periodFrames, bytes / format.bytesPerFrame)
            guard count > 0 else {
                pa_stream_cancel_write(stream)
                return
            }
            let samples = UnsafeMutableBufferPointer(
                start: room.bindMemory(to: Float.self, capacity: count * format.channelCount),
                count: count * format.channelCount)
            render(samples, count, source)
            guard pa_stream_write(stream, room, count * format.bytesPerFrame, nil, 0, PA_SEEK_RELATIVE) >= 0
            else { return }
            frame += Int64(count)
            frames -= count
        }
    }

    private func render(
        _ samples: UnsafeMutableBufferPointer<Float>, _ frameCount: Int, _ source: any RenderSource
    ) {
        guard let playTime = clock.playTime(of: frame) else { return samples.update(repeating: 0) }
        let time = DeviceTime(frame: frame, playTime: playTime, rateRatio: clock.rateRatio)
        source.render(samples, frameCount: frameCount, at: time)
    }

    /// Records the server's last snapshot of the stream: the frame that it read next from its queue was heard a sink's latency
    /// later.
    ///
    /// `pa_stream_get_latency` would interpolate between snapshots, and is up to a millisecond off in the first seconds of a stream
    /// (*observed*, PulseAudio 16).
    mutating func observe(_ stream: OpaquePointer) {
        guard let info = pa_stream_get_timing_info(stream)?.pointee, info.playing != 0,
            info.read_index_corrupt == 0, info.read_index > 0
        else { return }
        // The instant of the server's snapshot, whether or not both ends have one clock.
        let snapshot = info.timestamp.microseconds
        guard snapshot != lastSnapshot else { return }
        lastSnapshot = snapshot
        var now = timeval()
        gettimeofday(&now, nil)
        // The latency counts from the snapshot on, which was a moment ago.
        let ahead = Int64(clamping: info.sink_usec) &- (now.microseconds &- snapshot)
        clock.observe(
            frame: streamStart &+ info.read_index / Int64(format.bytesPerFrame),
            at: SystemClock.now.advanced(by: .microseconds(ahead)))
    }
}

extension timeval {
    fileprivate var microseconds: Int64 { Int64(tv_sec) &* 1_000_000 &+ Int64(tv_usec) }
}
