import CoreMedia
import Foundation
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// The overlap of two items as sample buffers of stereo float samples, in the first item's time and rate.
///
/// The first item fades out and the next one in, so that their powers add up to one. Each has the volume of its own
/// item; a sum beyond full scale is limited. Reading may block for a disk. Use from one thread at a time.
final class CrossfadeSource {
    private static let secondsAtOnce = 0.5

    private let overlap: Range<Int64>
    private var position: Int64
    private let rate: SampleRate
    private let outgoing: StereoFrames
    private let incoming: StereoFrames
    private let volumes: (outgoing: VolumeCurve?, incoming: VolumeCurve?)
    private let incomingStart: CMTime
    private let buffers: SoundBuffers
    private var limiter: PeakLimiter

    /// - Parameters:
    ///   - own: The volume of the first item, over its time.
    ///   - overlap: Frames of the first item.
    ///   - frame: The first frame to deliver, in the overlap.
    /// - Throws: A `MediaError` if the next item cannot be mixed.
    init(
        from outgoing: MediaReader, into incoming: MediaReader, _ crossfade: Crossfade, own: VolumeCurve?,
        overlap: Range<Int64>, at frame: Int64
    ) throws(MediaError) {
        (self.overlap, position, rate) = (overlap, frame, outgoing.info.sampleRate)
        (volumes, incomingStart) = ((own, crossfade.mix.curve(of: incoming.info)), crossfade.start)
        limiter = PeakLimiter(sampleRate: rate)
        let passed = CMTime(value: frame - overlap.lowerBound, timescale: CMTimeScale(rate.hertz))
        let first = try Self.firstFrame(of: incoming, crossfade, passed)
        do {
            let format = PCMFormat(sampleRate: rate, channelCount: 2, sampleFormat: .float32)
            buffers = SoundBuffers(
                format: try SoundDescription.linear(
                    format, channels: ChannelLayout(mask: 0, channelCount: 2)),
                sampleRate: rate, start: .zero)
            self.outgoing = try StereoFrames(
                outgoing, from: frame, until: overlap.upperBound, rate, isAnew: true)
            self.incoming = try StereoFrames(incoming, from: first, until: .max, rate, isAnew: false)
        } catch let error as MediaError {
            throw error
        } catch {
            throw .undecodable(name: incoming.info.path, reason: "\(error)")
        }
    }

    private static func firstFrame(
        of reader: MediaReader, _ crossfade: Crossfade, _ passed: CMTime
    ) throws(MediaError) -> Int64 {
        let info = reader.info
        let scale = CMTimeScale(info.sampleRate.hertz)
        func frame(_ time: CMTime) -> Int64 { time.convertScale(scale, method: .roundHalfAwayFromZero).value }
        guard let count = info.frameCount, !info.isFrameCountGuessed, !info.isLive, info.isSeekable,
            frame(crossfade.start + crossfade.duration + crossfade.duration) <= count
        else { throw .undecodable(name: info.path, reason: "it is too short for a crossfade") }
        return frame(crossfade.start + passed)
    }

    /// Time of the first item after the last frame delivered.
    var end: CMTime { CMTime(value: position, timescale: CMTimeScale(rate.hertz)) }

    /// Returns the next buffer; `nil` at the end of the overlap. The end of either file is silence.
    func nextBuffer() throws(MediaError) -> CMSampleBuffer? {
        let most = max(1, Int64(Self.secondsAtOnce * Double(rate.hertz)))
        let count = Int(min(most, overlap.upperBound - position))
        guard count > 0 else { return nil }
        var sound = try outgoing.read(count)
        var next: PCMBuffer
        do throws(MediaError) { next = try incoming.read(count) } catch {
            if case .cancelled = error { throw error }
            // The next file's failure is told when it is opened for itself; this one plays to its end.
            incoming.end()
            next = try incoming.read(count)
        }
        let passed = position - overlap.lowerBound
        volumes.outgoing?.scale(&sound, from: end)
        volumes.incoming?.scale(
            &next, from: incomingStart + CMTime(value: passed, timescale: CMTimeScale(rate.hertz)))
        mix(next, into: &sound, passed)
        guard let buffer = buffers.buffer(of: sound, at: position) else {
            throw .undecodable(name: "a crossfade", reason: "it has no memory for its sound")
        }
        buffer.volume = .applied
        position += Int64(count)
        return buffer
    }

    private func mix(_ next: PCMBuffer, into sound: inout PCMBuffer, _ passed: Int64) {
        let step = Double.pi / 2 / Double(overlap.count)
        sound.withUnsafeMutableBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            next.withUnsafeBytes { other in
                let others = other.bindMemory(to: Float.self)
                for frame in 0..<min(samples.count, others.count) / 2 {
                    let angle = step * Double(passed + Int64(frame))
                    let (fadeOut, fadeIn) = (Float(cos(angle)), Float(sin(angle)))
                    for index in [frame * 2, frame * 2 + 1] {
                        samples[index] = samples[index] * fadeOut + others[index] * fadeIn
                    }
                }
            }
            limiter.process(samples)
        }
    }
}

/// A file's frames in stereo float samples of a rate, read in order; holes and all after the end are silence.
private final class StereoFrames {
    private let source: ConvertedSource
    private let format: PCMFormat
    private var ready: PCMBuffer
    /// The frame after those in ``ready``, in the target's frames of the file.
    private var next: Int64
    private var isAtEnd = false

    /// - Parameter frame: The first frame, in frames of the file.
    init(
        _ reader: MediaReader, from frame: Int64, until end: Int64, _ rate: SampleRate, isAnew: Bool
    ) throws {
        let target = LinearPCMTarget(
            sampleRate: rate, channelCount: 2, bits: 32, isFloat: true, isBigEndian: false,
            isInterleaved: true)
        guard let target else {
            throw MediaError.undecodable(name: reader.info.path, reason: "its sample rate cannot be mixed")
        }
        format = PCMFormat(sampleRate: rate, channelCount: 2, sampleFormat: .float32)
        ready = PCMBuffer(format: format)
        source = try ConvertedSource(reader, frames: frame..<max(frame, end), to: target, isAnew: isAnew)
        let time = CMTime(value: frame, timescale: CMTimeScale(reader.info.sampleRate.hertz))
        next = time.convertScale(CMTimeScale(rate.hertz), method: .roundTowardPositiveInfinity).value
    }

    /// Makes what follows silence.
    func end() { isAtEnd = true }

    func read(_ count: Int) throws(MediaError) -> PCMBuffer {
        while ready.frameCount < count, !isAtEnd { try readMore(upTo: count) }
        if ready.frameCount < count { ready.appendSilence(frameCount: count - ready.frameCount) }
        let frames = ready[0..<count]
        ready.removeFirst(frameCount: count)
        return frames
    }

    private func readMore(upTo count: Int) throws(MediaError) {
        guard let buffer = try nextBuffer() else { return isAtEnd = true }
        let time = buffer.presentationTimeStamp.value
        // A buffer without memory is skipped, and becomes silence like any hole.
        let bytes = (try? buffer.dataBuffer?.withContiguousStorage { Array($0) }) ?? []
        guard var frames = PCMBuffer(format: format, bytes: bytes) else { return }
        if time > next { ready.appendSilence(frameCount: Int(min(time - next, Int64(count)))) }
        if time < next { frames.removeFirst(frameCount: Int(min(next - time, Int64(frames.frameCount)))) }
        ready.append(frames)
        next = max(next, time + Int64(bytes.count / format.bytesPerFrame))
    }

    private func nextBuffer() throws(MediaError) -> CMSampleBuffer? {
        do { return try source.nextBuffer() } catch let error as MediaError { throw error } catch {
            throw .undecodable(name: "a crossfade", reason: "\(error)")
        }
    }
}
