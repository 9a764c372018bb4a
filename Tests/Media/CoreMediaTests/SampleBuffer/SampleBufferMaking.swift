import Foundation

@testable import CoreMedia

/// Sample buffers for tests.
enum Make {
    static func time(_ value: Int64, _ scale: Int32 = 44_100) -> CMTime {
        CMTime(value: value, timescale: scale)
    }

    static func aacFormat(framesPerPacket: UInt32 = 1024) throws -> CMFormatDescription {
        var description = CMFormatDescriptionTests.aac
        description.mFramesPerPacket = framesPerPacket
        return try CMFormatDescription(audioStreamBasicDescription: description)
    }

    /// 16-bit stereo at 44.1 kHz, or floating-point planes.
    static func pcmFormat(planar: Bool = false) throws -> CMFormatDescription {
        let flags =
            planar
            ? kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved
            : kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
        return try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
                mBytesPerPacket: 4,
                mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
                mBitsPerChannel: planar ? 32 : 16,
                mReserved: 0))
    }

    /// A block buffer of bytes 0, 1, 2 …
    static func block(_ count: Int) throws -> CMBlockBuffer {
        let block = try CMBlockBuffer(length: count)
        try block.replaceDataBytes(with: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
        return block
    }

    /// Makes AAC packets of these sizes, starting at one second.
    static func aac(sizes: [Int] = [10, 20, 30, 40], at start: CMTime = time(44_100)) throws -> CMSampleBuffer
    {
        let timing = CMSampleTimingInfo(
            duration: time(1024), presentationTimeStamp: start, decodeTimeStamp: .invalid)
        return try CMSampleBuffer(
            dataBuffer: block(sizes.reduce(0, +)), formatDescription: aacFormat(), numSamples: sizes.count,
            sampleTimings: [timing], sampleSizes: sizes)
    }

    /// Makes PCM frames, starting at zero.
    static func pcm(frames: Int, planar: Bool = false) throws -> CMSampleBuffer {
        try CMSampleBuffer(
            dataBuffer: block(frames * (planar ? 8 : 4)), formatDescription: pcmFormat(planar: planar),
            numSamples: frames, presentationTimeStamp: .zero, packetDescriptions: [])
    }

    static func trim(_ buffer: CMSampleBuffer, start: CMTime? = nil, end: CMTime? = nil) {
        for (key, time) in [
            (kCMSampleBufferAttachmentKey_TrimDurationAtStart, start),
            (kCMSampleBufferAttachmentKey_TrimDurationAtEnd, end),
        ] {
            guard let time else { continue }
            CMSetAttachment(
                buffer, key: key, value: CMTimeCopyAsDictionary(time, allocator: nil),
                attachmentMode: kCMAttachmentMode_ShouldPropagate)
        }
    }

    static func code(_ body: () throws -> Void) -> OSStatus { status { try body() } }
}
