internal import CFFmpeg
import MediaTime
import PCM

/// Makes AAC-LC access units for the wire: 1024 frames of stereo float in, one raw unit out, a little later.
///
/// For one thread at a time.
public final class AACEncoder {
    public static let framesPerPacket = 1024

    /// 32 bit float, stereo.
    public let inputFormat: PCMFormat
    private let context: EncoderContext

    /// - Parameter bitRate: Bits per second.
    public init(sampleRate: SampleRate, bitRate: Int = 256_000) throws(CodecError) {
        inputFormat = PCMFormat(sampleRate: sampleRate, channelCount: 2, sampleFormat: .float32)
        context = try EncoderContext(
            .init(
                codecID: AV_CODEC_ID_AAC, sampleRate: sampleRate, sampleFormat: AV_SAMPLE_FMT_FLTP,
                bitRate: Int64(bitRate)))
    }

    /// Frames of the first packets that are decoded and not heard.
    public var delay: Int { context.delay }

    /// The AudioSpecificConfig.
    public var cookie: [UInt8] {
        context.cookie.isEmpty ? Self.lowComplexityCookie(sampleRate: inputFormat.sampleRate) : context.cookie
    }

    /// Appends the next unit, if one is ready.
    ///
    /// - Parameter buffer: 1024 frames; fewer only at the end of the stream.
    /// - Returns: Whether a unit was appended; the first call gives none.
    public func encode(_ buffer: PCMBuffer, into payload: inout [UInt8]) throws(CodecError) -> Bool {
        precondition(buffer.format == inputFormat, "formats differ")
        precondition(
            (1...Self.framesPerPacket).contains(buffer.frameCount), "1 ... 1024 frames make a packet")
        try buffer.withUnsafeBytes { (frames: UnsafeRawBufferPointer) throws(CodecError) in
            try context.send(frames.bindMemory(to: Float.self))
        }
        return try context.receive(into: &payload)
    }

    /// Ends the stream; then take what is left with ``drain(into:)``. The encoder cannot be used again.
    public func finish() throws(CodecError) { try context.sendEnd() }

    /// Appends the next unit after ``finish()``; false when there are no more.
    public func drain(into payload: inout [UInt8]) throws(CodecError) -> Bool {
        try context.receive(into: &payload)
    }

    /// The AudioSpecificConfig of AAC-LC stereo; for a rate outside the standard's table, of 44.1 kHz.
    ///
    /// Layout: 5 bits object type 2, 4 bits index of the rate, 4 bits channels. Source: ISO/IEC 14496-3, 1.6.2.1.
    static func lowComplexityCookie(sampleRate: SampleRate) -> [UInt8] {
        let rates = [
            96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
            7350,
        ]
        let bits = 2 << 11 | (rates.firstIndex(of: sampleRate.hertz) ?? 4) << 7 | 2 << 3
        return [UInt8(bits >> 8), UInt8(bits & 0xFF)]
    }
}
