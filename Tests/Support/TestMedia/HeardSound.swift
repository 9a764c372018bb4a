import CoreMedia
import Foundation
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// The audible audio of sample buffers: their packets decoded whole, and cut by their trims.
package struct HeardSound {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Time of the first frame.
    package private(set) var start: CMTime?
    package private(set) var buffer: PCMBuffer?
    /// Buffers that do not join in time.
    package private(set) var holeCount = 0

    private var decoder: AudioDecoder?
    private var end: CMTime?

    package init(_ buffers: [CMSampleBuffer]) throws {
        for buffer in buffers { try add(buffer) }
    }

    private mutating func add(_ sample: CMSampleBuffer) throws {
        guard let format = sample.formatDescription, let description = format.audioStreamBasicDescription,
            let rate = SampleRate(hertz: Int(description.mSampleRate)), let data = sample.dataBuffer
        else { throw Failure(description: "a buffer without format or data") }
        let bytes = [UInt8](try data.dataBytes())
        let isLinear = description.mFormatID == kAudioFormatLinearPCM
        let whole =
            isLinear
            ? try Self.linear(bytes, description, rate) : try decode(sample, bytes, format, description, rate)
        let scale = CMTimeScale(rate.hertz)
        let frames = sample.duration.convertScale(scale, method: .default).value
        guard whole.frameCount == Int(frames) else {
            throw Failure(description: "\(whole.frameCount) frames in a buffer of \(frames)")
        }
        let first = trim(sample, kCMSampleBufferAttachmentKey_TrimDurationAtStart, scale)
        let last = trim(sample, kCMSampleBufferAttachmentKey_TrimDurationAtEnd, scale)
        let heard = whole[first..<max(first, whole.frameCount - last)]
        if let end, end != sample.outputPresentationTimeStamp, !heard.isEmpty { holeCount += 1 }
        if start == nil, !heard.isEmpty { start = sample.outputPresentationTimeStamp }
        if !heard.isEmpty {
            end =
                sample.outputPresentationTimeStamp
                + CMTime(value: Int64(heard.frameCount), timescale: scale)
        }
        if buffer == nil { buffer = PCMBuffer(format: whole.format) }
        buffer?.append(heard)
    }

    private func trim(_ sample: CMSampleBuffer, _ key: CFString, _ scale: CMTimeScale) -> Int {
        guard let value = CMGetAttachment(sample, key: key, attachmentModeOut: nil) as? CFDictionary else {
            return 0
        }
        return Int(CMTimeMakeFromDictionary(value).convertScale(scale, method: .default).value)
    }

    private static func linear(
        _ bytes: [UInt8], _ description: AudioStreamBasicDescription, _ rate: SampleRate
    ) throws -> PCMBuffer {
        let channels = Int(description.mChannelsPerFrame)
        let (bits, flags) = (Int(description.mBitsPerChannel), description.mFormatFlags)
        let isFloat = flags & kAudioFormatFlagIsFloat != 0
        let step = Int(description.mBytesPerFrame) / channels
        var words = [UInt32]()
        for offset in stride(from: 0, to: bytes.count - step + 1, by: step) {
            let sample = bytes[offset..<offset + step]
            let inOrder = flags & kAudioFormatFlagIsBigEndian != 0 ? Array(sample) : sample.reversed()
            words.append(inOrder.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(32 - 8 * step))
        }
        switch (isFloat, bits) {
        case (true, 32):
            return PCMBuffer(
                sampleRate: rate, channelCount: channels, samples: words.map { Float(bitPattern: $0) })
        case (false, 16):
            return PCMBuffer(
                sampleRate: rate, channelCount: channels,
                samples: words.map { Int16(bitPattern: UInt16($0 >> 16)) })
        case (false, 24), (false, 32):
            return PCMBuffer(
                sampleRate: rate, channelCount: channels, samples: words.map { Int32(bitPattern: $0) },
                is24Bit: bits == 24)
        default: throw Failure(description: "linear PCM of \(bits) bits")
        }
    }

    private mutating func decode(
        _ sample: CMSampleBuffer, _ bytes: [UInt8], _ format: CMFormatDescription,
        _ description: AudioStreamBasicDescription, _ rate: SampleRate
    ) throws -> PCMBuffer {
        let isJump = end.map { $0 != sample.outputPresentationTimeStamp } ?? true
        if decoder == nil || isJump { decoder = try Self.decoder(format, description, rate) }
        guard let decoder else { throw Failure(description: "no decoder") }
        var output = PCMBuffer(format: decoder.outputFormat)
        let scale = CMTimeScale(rate.hertz)
        for (index, packet) in try sample.audioStreamPacketDescriptions().enumerated() {
            let timing = try sample.sampleTimingInfo(at: index)
            let offset = Int(packet.mStartOffset)
            let encoded = EncodedPacket(
                payload: Array(bytes[offset..<offset + Int(packet.mDataByteSize)]),
                timestamp: timing.presentationTimeStamp.convertScale(scale, method: .default).value,
                duration: Int(timing.duration.convertScale(scale, method: .default).value))
            if let audio = decoder.decode(encoded) { output.append(audio.buffer) }
        }
        return output
    }

    private static func decoder(
        _ format: CMFormatDescription, _ description: AudioStreamBasicDescription, _ rate: SampleRate
    ) throws -> AudioDecoder {
        let codec: AudioCodec
        var bits: Int?
        switch description.mFormatID {
        case kAudioFormatMPEG4AAC: codec = .aac
        case kAudioFormatMPEGLayer3: codec = .mp3
        case kAudioFormatOpus: codec = .opus
        case kAudioFormatFLAC: (codec, bits) = (.flac, Int(description.mBitsPerChannel))
        case kAudioFormatAppleLossless:
            (codec, bits) = (.alac, [1: 16, 2: 20, 3: 24, 4: 32][Int(description.mFormatFlags)])
        default: throw Failure(description: "format \(description.mFormatID)")
        }
        return try AudioDecoder(
            AudioStreamParameters(
                codec: codec, sampleRate: rate, channelCount: Int(description.mChannelsPerFrame),
                bitDepth: bits, cookie: format.magicCookie.map { [UInt8]($0) } ?? []))
    }
}
