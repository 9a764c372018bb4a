import CTuttiFFmpeg
import TuttiMediaTime
import TuttiPCM

/// An AAC-LC encoder for packets sent to speakers: takes 1024 frames of stereo float, returns one raw access
/// unit with a delay.
///
/// Not thread-safe.
package final class AACEncoder {
    /// Frames in one access unit.
    package static let framesPerPacket = 1024

    /// The format of the input: 32-bit float, stereo.
    package let inputFormat: PCMFormat
    private let context: EncoderContext

    /// Opens an encoder.
    ///
    /// - Parameter bitRate: Bits per second.
    package init(sampleRate: SampleRate, bitRate: Int = 256_000) throws(CodecError) {
        inputFormat = PCMFormat(sampleRate: sampleRate, channelCount: 2, sampleFormat: .float32)
        context = try EncoderContext(
            .init(
                codecID: AV_CODEC_ID_AAC, sampleRate: sampleRate, sampleFormat: AV_SAMPLE_FMT_FLTP,
                bitRate: Int64(bitRate)))
    }

    /// Frames at the start of the decoded stream that are not part of the sound.
    package var delay: Int { context.delay }

    /// The AudioSpecificConfig, for a decoder.
    package var cookie: [UInt8] {
        context.cookie.isEmpty ? Self.lowComplexityCookie(sampleRate: inputFormat.sampleRate) : context.cookie
    }

    /// Encodes a buffer and appends the next access unit, if one is ready.
    ///
    /// - Parameter buffer: 1024 frames; fewer only at the end of the stream.
    /// - Returns: Whether an access unit was appended; `false` for the first call.
    package func encode(_ buffer: PCMBuffer, into payload: inout [UInt8]) throws(CodecError) -> Bool {
        precondition(buffer.format == inputFormat, "formats differ")
        precondition(
            (1...Self.framesPerPacket).contains(buffer.frameCount), "1 ... 1024 frames make a packet")
        try buffer.withUnsafeBytes { (frames: UnsafeRawBufferPointer) throws(CodecError) in
            try context.send(frames.bindMemory(to: Float.self))
        }
        return try context.receive(into: &payload)
    }

    /// Signals the end of the stream. Collect the remaining units with ``drain(into:)``; the encoder cannot
    /// be reused.
    package func finish() throws(CodecError) { try context.sendEnd() }

    /// Appends the next access unit after ``finish()``; returns `false` when none is left.
    package func drain(into payload: inout [UInt8]) throws(CodecError) -> Bool {
        try context.receive(into: &payload)
    }

    /// Returns the AudioSpecificConfig of stereo AAC-LC; uses 44.1 kHz for a rate outside the standard's
    /// table.
    ///
    /// Layout: 5 bits object type 2, 4 bits rate index, 4 bits channel configuration. Source: ISO/IEC
    /// 14496-3, 1.6.2.1.
    static func lowComplexityCookie(sampleRate: SampleRate) -> [UInt8] {
        let rates = [
            96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
            7350,
        ]
        let bits = 2 << 11 | (rates.firstIndex(of: sampleRate.hertz) ?? 4) << 7 | 2 << 3
        return [UInt8(bits >> 8), UInt8(bits & 0xFF)]
    }
}
