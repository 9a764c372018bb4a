// Sample 2 without its last class, which needs AVURLAsset and AVAssetReader; these are not there yet.
// Source-compatibility sample 2: where the sample buffers come from.
// One source makes PCM with the C-style CoreMedia calls, one with the Swift
// initialisers, one passes compressed packets through from AVAssetReader.
import AVFoundation

protocol SampleSource: AnyObject {
    /// Nil at the end of the data.
    func nextSampleBuffer() -> CMSampleBuffer?
    func prepare(at time: CMTime)
}

enum SampleError: Error { case status(OSStatus), noTrack }

/// A sine wave as interleaved 16-bit stereo, one second per buffer.
final class ToneSource: SampleSource, @unchecked Sendable {
    private let rate: Int32 = 44_100
    private let frequency: Double
    private let lengthInFrames: Int64
    private var nextFrame: Int64 = 0
    private let format: CMAudioFormatDescription

    init(frequency: Double, seconds: Double) throws {
        self.frequency = frequency
        lengthInFrames = Int64(seconds * 44_100)
        var asbd = AudioStreamBasicDescription(mSampleRate: 44_100,
                                               mFormatID: kAudioFormatLinearPCM,
                                               mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
                                               mBytesPerPacket: 4,
                                               mFramesPerPacket: 1,
                                               mBytesPerFrame: 4,
                                               mChannelsPerFrame: 2,
                                               mBitsPerChannel: 16,
                                               mReserved: 0)
        var description: CMAudioFormatDescription?
        let status = CMAudioFormatDescriptionCreate(allocator: kCFAllocatorDefault,
                                                    asbd: &asbd,
                                                    layoutSize: 0,
                                                    layout: nil,
                                                    magicCookieSize: 0,
                                                    magicCookie: nil,
                                                    extensions: nil,
                                                    formatDescriptionOut: &description)
        guard status == noErr, let description else { throw SampleError.status(status) }
        format = description
    }

    func prepare(at time: CMTime) {
        nextFrame = max(0, time.convertScale(rate, method: .roundTowardZero).value)
    }

    func nextSampleBuffer() -> CMSampleBuffer? {
        let frames = min(Int64(rate), lengthInFrames - nextFrame)
        guard frames > 0 else { return nil }
        var pcm = [Int16](repeating: 0, count: Int(frames) * 2)
        for i in 0..<Int(frames) {
            let phase = Double(nextFrame + Int64(i)) * frequency * 2 * .pi / Double(rate)
            let value = Int16(sin(phase) * 12_000)
            pcm[2 * i] = value
            pcm[2 * i + 1] = value
        }
        let pts = CMTime(value: nextFrame, timescale: rate)
        nextFrame += frames
        return try? Self.wrap(pcm, frames: Int(frames), at: pts, format: format)
    }

    private static func wrap(_ pcm: [Int16], frames: Int, at pts: CMTime, format: CMAudioFormatDescription) throws -> CMSampleBuffer {
        let byteCount = pcm.count * MemoryLayout<Int16>.size
        var block: CMBlockBuffer?
        var status = CMBlockBufferCreateWithMemoryBlock(allocator: kCFAllocatorDefault,
                                                        memoryBlock: nil,
                                                        blockLength: byteCount,
                                                        blockAllocator: nil,
                                                        customBlockSource: nil,
                                                        offsetToData: 0,
                                                        dataLength: byteCount,
                                                        flags: kCMBlockBufferAssureMemoryNowFlag,
                                                        blockBufferOut: &block)
        guard status == kCMBlockBufferNoErr, let block else { throw SampleError.status(status) }
        status = pcm.withUnsafeBytes { bytes in
            CMBlockBufferReplaceDataBytes(with: bytes.baseAddress!, blockBuffer: block, offsetIntoDestination: 0, dataLength: byteCount)
        }
        guard status == noErr else { throw SampleError.status(status) }
        var sample: CMSampleBuffer?
        status = CMAudioSampleBufferCreateReadyWithPacketDescriptions(allocator: kCFAllocatorDefault,
                                                                      dataBuffer: block,
                                                                      formatDescription: format,
                                                                      sampleCount: frames,
                                                                      presentationTimeStamp: pts,
                                                                      packetDescriptions: nil,
                                                                      sampleBufferOut: &sample)
        guard status == noErr, let sample else { throw SampleError.status(status) }
        return sample
    }
}

/// Compressed packets with encoder delay and padding marked for gapless playback.
struct PacketWrapper {
    let format: CMFormatDescription

    init(aacSampleRate rate: Double, channels: UInt32, cookie: Data?) throws {
        let asbd = AudioStreamBasicDescription(mSampleRate: rate, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0,
                                               mBytesPerPacket: 0, mFramesPerPacket: 1024, mBytesPerFrame: 0,
                                               mChannelsPerFrame: channels, mBitsPerChannel: 0, mReserved: 0)
        format = try CMFormatDescription(audioStreamBasicDescription: asbd, magicCookie: cookie)
    }

    func makeBuffer(packets: [Data], at start: CMTime, rate: Int32, trimStart: CMTime?, trimEnd: CMTime?) throws -> CMSampleBuffer {
        let joined = packets.reduce(into: Data()) { $0.append($1) }
        let block = try CMBlockBuffer(length: joined.count)
        try joined.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
        let timing = CMSampleTimingInfo(duration: CMTime(value: 1024, timescale: rate),
                                        presentationTimeStamp: start,
                                        decodeTimeStamp: .invalid)
        let buffer = try CMSampleBuffer(dataBuffer: block,
                                        formatDescription: format,
                                        numSamples: packets.count,
                                        sampleTimings: [timing],
                                        sampleSizes: packets.map(\.count))
        if let trimStart {
            CMSetAttachment(buffer,
                            key: kCMSampleBufferAttachmentKey_TrimDurationAtStart,
                            value: CMTimeCopyAsDictionary(trimStart, allocator: kCFAllocatorDefault),
                            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        }
        if let trimEnd {
            CMSetAttachment(buffer,
                            key: kCMSampleBufferAttachmentKey_TrimDurationAtEnd,
                            value: CMTimeCopyAsDictionary(trimEnd, allocator: kCFAllocatorDefault),
                            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        }
        return buffer
    }
}
