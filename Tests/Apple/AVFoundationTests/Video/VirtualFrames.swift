import AVFoundation
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

@testable import AVFoundation

/// A clock that stands until it is moved, and calls what was asked for on its way.
final class VirtualFrameClock: WakeUp {
    private struct State {
        var now: Int64 = 0
        var pending: (time: Int64, body: @Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// The time that the clock shows.
    var now: HostTime { HostTime(nanoseconds: state.withLock { $0.now }) }

    /// Returns a media clock that shows the given time.
    var clock: CMClock { CMClock { [self] in now } }

    /// Seconds from now to the next requested call; `nil` without one.
    var secondsToNextCall: Double? {
        state.withLock { state in state.pending.map { Double($0.time - state.now) / 1e9 } }
    }

    func set(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.pending = ($0.now + max(0, delay.wholeNanoseconds), body) }
    }

    func cancel() { state.withLock { $0.pending = nil } }

    /// Moves the time, calling back at each time that was asked for.
    func advance(seconds: Double) {
        let end = state.withLock { $0.now + Int64(seconds * 1e9) }
        while let body = nextCall(until: end) { body() }
        state.withLock { $0.now = end }
    }

    private func nextCall(until end: Int64) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let call = state.pending, call.time <= end else { return nil }
            state.pending = nil
            state.now = max(state.now, call.time)
            return call.body
        }
    }
}

/// A sink that logs its calls with the timebase's time: `show 0.5 at 0.5`.
final class NotingSink: TuttiVideoFrameSink {
    let notes = Notes()
    private let timebase: CMTimebase?

    init(timebase: CMTimebase? = nil) { self.timebase = timebase }

    func show(_ frame: CMSampleBuffer) { note("show", frame) }
    func skip(_ frame: CMSampleBuffer) { note("skip", frame) }
    func removeImage() { notes.note("remove") }

    private func note(_ what: String, _ frame: CMSampleBuffer) {
        let time = timebase.map { " at \(rounded($0.time))" } ?? ""
        notes.note("\(what) \(rounded(frame.outputPresentationTimeStamp))\(time)")
    }

    private func rounded(_ time: CMTime) -> Double { (time.seconds * 1000).rounded() / 1000 }
}

/// Frames of an encoded video without contents.
enum EmptyFrame {
    static func at(
        _ seconds: Double, lasting duration: Double = 0.1, byteCount: Int = 100,
        attachments keys: [CMSampleBuffer.SampleAttachments.Key] = []
    ) throws -> CMSampleBuffer {
        let format = try CMFormatDescription(videoCodecType: .h264, width: 640, height: 360)
        let buffer = try CMSampleBuffer(
            dataBuffer: CMBlockBuffer(length: byteCount), formatDescription: format, numSamples: 1,
            sampleTimings: [
                CMSampleTimingInfo(
                    duration: CMTime(seconds: duration, preferredTimescale: 1000),
                    presentationTimeStamp: CMTime(seconds: seconds, preferredTimescale: 1000),
                    decodeTimeStamp: .invalid)
            ], sampleSizes: [byteCount])
        for key in keys { buffer.sampleAttachments[0][key] = true }
        return buffer
    }
}
