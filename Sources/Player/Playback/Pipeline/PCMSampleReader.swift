import CoreMedia
import TuttiMediaTime
import TuttiPCM

/// Reads linear PCM of any common layout into a ``PCMFormat``.
///
/// Accepts 8, 16, 24 and 32 bit integers and 32 and 64 bit floats, of either byte order, interleaved or not.
struct PCMSampleReader {
    private enum Sample { case integer(bytes: Int), float32, float64 }

    let format: PCMFormat
    private let sample: Sample
    private let isBigEndian: Bool
    private let isSigned: Bool
    private let isInterleaved: Bool
    private let bytesPerSample: Int
    /// The input layout equals ``format``, so bytes are copied unchanged.
    private let isNative: Bool

    init(_ description: AudioStreamBasicDescription, sampleRate: SampleRate) throws {
        let flags = description.mFormatFlags
        let channels = Int(description.mChannelsPerFrame)
        let isFloat = flags & kAudioFormatFlagIsFloat != 0
        isBigEndian = flags & kAudioFormatFlagIsBigEndian != 0
        isSigned = flags & kAudioFormatFlagIsSignedInteger != 0
        isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
        let bits = Int(description.mBitsPerChannel)
        let perFrame = Int(description.mBytesPerFrame)
        bytesPerSample = isInterleaved ? perFrame / max(1, channels) : perFrame
        switch (isFloat, bits, bytesPerSample) {
        case (true, 32, 4): (sample, format) = (.float32, Self.format(.float32, sampleRate, channels))
        case (true, 64, 8): (sample, format) = (.float64, Self.format(.float32, sampleRate, channels))
        case (false, 1...16, 1...2):
            (sample, format) = (.integer(bytes: bytesPerSample), Self.format(.int16, sampleRate, channels))
        case (false, 17...24, 3...4):
            (sample, format) = (
                .integer(bytes: bytesPerSample), Self.format(.int24in32, sampleRate, channels)
            )
        case (false, 25...32, 4):
            (sample, format) = (.integer(bytes: 4), Self.format(.int32, sampleRate, channels))
        default: throw RenderError("linear PCM of \(bits) bits in \(bytesPerSample) bytes cannot be rendered")
        }
        let isWhole = bits == bytesPerSample * 8
        switch sample {
        case .integer(2): isNative = isWhole && isSigned && !isBigEndian && isInterleaved
        case .integer(4): isNative = isWhole && isSigned && !isBigEndian && isInterleaved
        case .float32: isNative = !isBigEndian && isInterleaved
        default: isNative = false
        }
        shift = isFloat || flags & kAudioFormatFlagIsAlignedHigh != 0 ? 0 : max(0, bytesPerSample * 8 - bits)
    }

    /// Left shift, in bits, that moves a low-aligned sample to the top of its bytes.
    private let shift: Int

    private static func format(_ sample: SampleFormat, _ rate: SampleRate, _ channels: Int) -> PCMFormat {
        PCMFormat(sampleRate: rate, channelCount: channels, sampleFormat: sample)
    }

    func read(_ data: CMBlockBuffer, frameCount: Int) throws -> PCMBuffer {
        try data.withContiguousStorage { bytes in
            let available = bytes.count / max(1, bytesPerSample * format.channelCount)
            let frames = max(0, min(frameCount, available))
            return PCMBuffer(format: format, capacity: frames) { room in
                if isNative {
                    room.copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes.prefix(frames * format.bytesPerFrame)))
                } else {
                    convert(bytes, into: room, frameCount: frames)
                }
                return frames
            }
        }
    }

    private func convert(
        _ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer, frameCount: Int
    ) {
        let channels = format.channelCount
        for frame in 0..<frameCount {
            for channel in 0..<channels {
                let position = isInterleaved ? frame * channels + channel : channel * frameCount + frame
                let raw = word(bytes, at: position * bytesPerSample)
                store(raw, into: room, at: frame * channels + channel)
            }
        }
    }

    /// Returns the sample's bytes, moved to the top of 64 bits.
    private func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<bytesPerSample {
            let byte = bytes[offset + (isBigEndian ? index : bytesPerSample - 1 - index)]
            value = value << 8 | UInt64(byte)
        }
        return value << UInt64(64 - bytesPerSample * 8)
    }

    private func store(_ raw: UInt64, into room: UnsafeMutableRawBufferPointer, at index: Int) {
        switch sample {
        case .float32:
            room.storeBytes(
                of: UInt32(truncatingIfNeeded: raw >> 32), toByteOffset: index * 4, as: UInt32.self)
        case .float64:
            room.storeBytes(of: Float(Double(bitPattern: raw)), toByteOffset: index * 4, as: Float.self)
        case .integer:
            let aligned = raw << UInt64(shift)
            let signed = Int64(bitPattern: isSigned ? aligned : aligned ^ (1 << 63))
            if format.sampleFormat == .int16 {
                room.storeBytes(
                    of: Int16(truncatingIfNeeded: signed >> 48), toByteOffset: index * 2, as: Int16.self)
            } else {
                room.storeBytes(
                    of: Int32(truncatingIfNeeded: signed >> 32), toByteOffset: index * 4, as: Int32.self)
            }
        }
    }
}
