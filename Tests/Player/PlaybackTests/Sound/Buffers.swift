import CoreMedia
import Foundation
import TuttiMediaTime
import TuttiPCM

/// Sample buffers for tests.
enum Buffers {
    static func time(_ frame: Int64, rate: SampleRate = .hz44100) -> CMTime {
        CMTime(value: frame, timescale: CMTimeScale(rate.hertz))
    }

    static func block(_ bytes: [UInt8]) throws -> CMBlockBuffer {
        let block = try CMBlockBuffer(length: bytes.count, flags: .assureMemoryNow)
        if !bytes.isEmpty { try block.replaceDataBytes(with: bytes) }
        return block
    }

    static func description(
        _ id: AudioFormatID, rate: Double = 44_100, flags: AudioFormatFlags = 0, bytes: UInt32 = 0,
        framesPerPacket: UInt32 = 1, channels: UInt32 = 2, bits: UInt32 = 0, cookie: [UInt8] = []
    ) throws -> CMFormatDescription {
        try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: rate, mFormatID: id, mFormatFlags: flags, mBytesPerPacket: bytes,
                mFramesPerPacket: framesPerPacket, mBytesPerFrame: bytes, mChannelsPerFrame: channels,
                mBitsPerChannel: bits, mReserved: 0),
            magicCookie: cookie.isEmpty ? nil : Data(cookie))
    }

    /// The description of a buffer as a wire format.
    static func description(of format: PCMFormat) throws -> CMFormatDescription {
        let (flags, bits): (AudioFormatFlags, UInt32)
        switch format.sampleFormat {
        case .int16: (flags, bits) = (kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 16)
        case .int32: (flags, bits) = (kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 32)
        case .int24in32: (flags, bits) = (kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh, 24)
        case .float32: (flags, bits) = (kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, 32)
        }
        return try description(
            kAudioFormatLinearPCM, rate: Double(format.sampleRate.hertz), flags: flags,
            bytes: UInt32(format.bytesPerFrame), channels: UInt32(format.channelCount), bits: bits)
    }

    static func pcm(_ frames: PCMBuffer, at time: CMTime) throws -> CMSampleBuffer {
        try CMSampleBuffer(
            dataBuffer: block(frames.bytes), formatDescription: description(of: frames.format),
            numSamples: frames.frameCount, presentationTimeStamp: time, packetDescriptions: [])
    }

    /// Returns the audio from `frame` on, cut into buffers whose lengths repeat `sizes`.
    static func pcm(_ frames: PCMBuffer, from frame: Int64, sizes: [Int]) throws -> [CMSampleBuffer] {
        var (buffers, position, turn): ([CMSampleBuffer], Int, Int) = ([], 0, 0)
        while position < frames.frameCount {
            let count = min(sizes[turn % sizes.count], frames.frameCount - position)
            buffers.append(
                try pcm(
                    frames[position..<position + count],
                    at: time(frame + Int64(position), rate: frames.format.sampleRate)))
            (position, turn) = (position + count, turn + 1)
        }
        return buffers
    }

    /// Returns packets of equal length, the first at `time`.
    static func packets(
        _ payloads: [[UInt8]], framesPerPacket: Int64, format: CMFormatDescription, at time: CMTime,
        rate: SampleRate = .hz44100
    ) throws -> CMSampleBuffer {
        let timing = CMSampleTimingInfo(
            duration: self.time(framesPerPacket, rate: rate), presentationTimeStamp: time,
            decodeTimeStamp: .invalid)
        return try CMSampleBuffer(
            dataBuffer: block(payloads.flatMap(\.self)), formatDescription: format,
            numSamples: payloads.count, sampleTimings: [timing], sampleSizes: payloads.map(\.count))
    }

    static func trim(_ buffer: CMSampleBuffer, start: Int64 = 0, end: Int64 = 0, rate: SampleRate = .hz44100)
    {
        for (key, frames) in [
            (kCMSampleBufferAttachmentKey_TrimDurationAtStart, start),
            (kCMSampleBufferAttachmentKey_TrimDurationAtEnd, end),
        ] where frames > 0 {
            CMSetAttachment(
                buffer, key: key, value: CMTimeCopyAsDictionary(time(frames, rate: rate), allocator: nil),
                attachmentMode: kCMAttachmentMode_ShouldPropagate)
        }
    }
}
