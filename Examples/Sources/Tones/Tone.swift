import AVFoundation
import Synchronization

/// A sine tone between two times of the timeline, as sample buffers of half a second.
///
/// Stereo, 16 bit, 44.1 kHz. Any thread; each buffer is returned once.
public final class Tone: Sendable {
    private static let rate: CMTimeScale = 44_100
    private static let framesPerBuffer = 22_050

    private let hertz: Double
    private let end: Int
    private let next: Mutex<Int>

    /// - Parameters:
    ///   - start: The start, in whole seconds of the timeline.
    ///   - end: The end, in whole seconds of the timeline.
    public init(hertz: Double, from start: Int, to end: Int) {
        self.hertz = hertz
        self.end = end * Int(Self.rate)
        next = Mutex(start * Int(Self.rate))
    }

    /// Returns the next half second; `nil` at the end.
    public func nextBuffer() throws -> CMSampleBuffer? {
        let frames = next.withLock { next in
            let frames = next..<max(next, min(end, next + Self.framesPerBuffer))
            next = frames.upperBound
            return frames
        }
        guard !frames.isEmpty else { return nil }
        let samples = frames.flatMap { frame in
            let phase = 2 * Double.pi * hertz * Double(frame) / Double(Self.rate)
            let sample = Int16(sin(phase) * 8192)
            return [sample, sample]
        }
        let data = try CMBlockBuffer(length: samples.count * 2, flags: .assureMemoryNow)
        try samples.withUnsafeBytes { try data.replaceDataBytes(with: $0) }
        return try CMSampleBuffer(
            dataBuffer: data, formatDescription: Self.format(), numSamples: frames.count,
            presentationTimeStamp: CMTime(value: CMTimeValue(frames.lowerBound), timescale: Self.rate),
            packetDescriptions: [])
    }

    private static func format() throws -> CMFormatDescription {
        try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: Double(rate), mFormatID: kAudioFormatLinearPCM,
                mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
                mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16,
                mReserved: 0
            ))
    }
}
