import CoreMedia
import TuttiPCM

/// Writes PCM buffers in any common layout: 8, 16, 24 or 32 bit integers or 32 or 64 bit floats, of either
/// byte order, interleaved or planar.
package struct LinearPCMWriter: Sendable {
    /// The sample format that ``bytes(of:)`` takes.
    package let sampleFormat: SampleFormat

    private let bytesPerSample: Int
    private let is64BitFloat: Bool
    private let isSigned: Bool
    private let isBigEndian: Bool
    private let isInterleaved: Bool
    /// The layout equals the internal one, so bytes are copied unchanged.
    private let isNative: Bool

    /// Returns `nil` for any other layout; samples must fill their bytes.
    package init?(_ description: AudioStreamBasicDescription) {
        let flags = description.mFormatFlags
        let isFloat = flags & kAudioFormatFlagIsFloat != 0
        guard description.mFormatID == kAudioFormatLinearPCM, flags & kAudioFormatFlagIsPacked != 0 else {
            return nil
        }
        switch (isFloat, description.mBitsPerChannel) {
        case (true, 32), (true, 64): sampleFormat = .float32
        case (false, 8), (false, 16): sampleFormat = .int16
        case (false, 24): sampleFormat = .int24in32
        case (false, 32): sampleFormat = .int32
        default: return nil
        }
        bytesPerSample = Int(description.mBitsPerChannel / 8)
        is64BitFloat = isFloat && bytesPerSample == 8
        isSigned = isFloat || flags & kAudioFormatFlagIsSignedInteger != 0
        isBigEndian = flags & kAudioFormatFlagIsBigEndian != 0
        isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
        isNative =
            bytesPerSample == sampleFormat.bytesPerSample && sampleFormat != .int24in32 && isSigned
            && !isBigEndian && isInterleaved
    }

    /// Returns the frames in the target layout.
    ///
    /// - Precondition: the buffer's samples are of ``sampleFormat``.
    package func bytes(of buffer: PCMBuffer) -> [UInt8] {
        precondition(buffer.format.sampleFormat == sampleFormat, "formats differ")
        if isNative { return buffer.bytes }
        switch sampleFormat {
        case .int16:
            return write(buffer) { (sample: Int16) in UInt64(UInt16(bitPattern: sample)) << 48 }
        case .int24in32, .int32:
            return write(buffer) { (sample: Int32) in UInt64(UInt32(bitPattern: sample)) << 32 }
        case .float32 where is64BitFloat:
            return write(buffer) { (sample: Float) in Double(sample).bitPattern }
        case .float32:
            return write(buffer) { (sample: Float) in UInt64(sample.bitPattern) << 32 }
        }
    }

    /// - Parameter word: Returns a sample's bits at the top of 64.
    private func write<Sample: BitwiseCopyable>(_ buffer: PCMBuffer, _ word: (Sample) -> UInt64) -> [UInt8] {
        let (frames, channels) = (buffer.frameCount, buffer.format.channelCount)
        let size = frames * channels * bytesPerSample
        guard size > 0 else { return [] }
        return Array(unsafeUninitializedCapacity: size) { output, count in
            buffer.withUnsafeBytes { raw in
                let samples = raw.bindMemory(to: Sample.self)
                for index in 0..<min(samples.count, frames * channels) {
                    let place =
                        isInterleaved ? index : index % channels * frames + index / channels
                    store(word(samples[index]), into: output, at: place * bytesPerSample)
                }
            }
            count = size
        }
    }

    private func store(_ word: UInt64, into output: UnsafeMutableBufferPointer<UInt8>, at offset: Int) {
        var word = isSigned ? word : word ^ (1 << 63)
        // Reduces 16 bits to 8: rounds to nearest and clamps at full scale.
        if bytesPerSample == 1 { word = Self.roundedTo8Bits(word, isSigned: isSigned) }
        for index in 0..<bytesPerSample {
            let shift = UInt64(56 - 8 * index)
            let byte = UInt8(truncatingIfNeeded: word >> shift)
            output[offset + (isBigEndian ? index : bytesPerSample - 1 - index)] = byte
        }
    }

    private static func roundedTo8Bits(_ word: UInt64, isSigned: Bool) -> UInt64 {
        let half: UInt64 = 1 << 55
        if isSigned {
            let (sum, overflow) = Int64(bitPattern: word).addingReportingOverflow(Int64(half))
            return overflow ? UInt64(0x7F) << 56 : UInt64(bitPattern: sum)
        }
        let (sum, overflow) = word.addingReportingOverflow(half)
        return overflow ? UInt64(0xFF) << 56 : sum
    }
}
