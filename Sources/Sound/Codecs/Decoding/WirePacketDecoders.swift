import CTuttiFFmpeg
import TuttiMediaTime
import TuttiPCM

/// A decoder for single ALAC packets as sent to speakers.
///
/// Not thread-safe.
package final class ALACPacketDecoder {
    /// The packets' format.
    package let configuration: ALACConfiguration
    private let context: DecoderContext
    private let framesPerPacket: Int

    /// Opens a decoder.
    ///
    /// - Parameter framesPerPacket: Frames of a packet that does not name its own number.
    package init(
        _ configuration: ALACConfiguration, framesPerPacket: Int = ALACConfiguration.framesPerPacket
    ) throws(CodecError) {
        self.configuration = configuration
        self.framesPerPacket = framesPerPacket
        // FFmpeg expects the cookie in its atom: size, name, version and flags.
        let atom =
            [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0]
            + configuration.cookie(framesPerPacket: framesPerPacket)
        context = try DecoderContext(
            AudioStreamParameters(
                codecID: AV_CODEC_ID_ALAC, sampleRate: configuration.sampleRate, channelCount: 2,
                bitDepth: configuration.bitDepth, cookie: atom))
    }

    /// Decodes a packet into frames of the configuration's PCM format.
    package func decode(_ payload: [UInt8]) throws(CodecError) -> PCMBuffer {
        try context.decodeOne(withEndTag(payload), as: configuration.pcmFormat)
    }

    /// Adds the tag that ends a packet to one with uncompressed samples, if it lacks the tag and nothing else.
    /// PipeWire and PulseAudio leave it out (*observed*); FFmpeg refuses a packet without it.
    ///
    /// Layout, in bits: 3 the tag of a channel pair, 1; 16 of no meaning here; 1 whether a number of frames
    /// follows; 2 zero; 1 whether the samples are uncompressed; 32 the number; then the samples. The tag at
    /// the end has 3 bits, all set, of which one fits the last byte.
    private func withEndTag(_ payload: [UInt8]) -> [UInt8] {
        guard configuration.bitDepth == 16, payload.count >= 7, payload[0] >> 5 == 1 else { return payload }
        let (hasNumber, isUncompressed) = (payload[2] & 0x10 != 0, payload[2] & 0x02 != 0)
        guard isUncompressed, payload[2] & 0x0C == 0 else { return payload }
        var (frames, headBits) = (framesPerPacket, 23)
        if hasNumber {
            let bytes = payload[2...6]
            frames = Int(UInt32(truncatingIfNeeded: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1))
            headBits = 55
        }
        guard payload.count == (headBits + frames * 32 + 7) / 8 else { return payload }
        var whole = payload
        whole[whole.count - 1] |= 1
        whole.append(0xC0)
        return whole
    }
}

/// A decoder for single raw AAC access units as sent to speakers.
///
/// Each unit overlaps with the previous one, so the first output after a reset is not exact. Not thread-safe.
package final class AACPacketDecoder {
    /// The format of the output: 32-bit float.
    package let outputFormat: PCMFormat
    private let context: DecoderContext

    /// Opens a decoder.
    ///
    /// - Parameter cookie: The AudioSpecificConfig, e.g. ``AACEncoder/cookie``.
    package init(cookie: [UInt8], sampleRate: SampleRate, channelCount: Int = 2) throws(CodecError) {
        outputFormat = PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: .float32)
        context = try DecoderContext(
            AudioStreamParameters(
                codecID: AV_CODEC_ID_AAC, sampleRate: sampleRate, channelCount: channelCount, bitDepth: nil,
                cookie: cookie))
    }

    /// Opens a decoder for stereo AAC-LC at a rate from the standard's table.
    package convenience init(sampleRate: SampleRate) throws(CodecError) {
        try self.init(cookie: AACEncoder.lowComplexityCookie(sampleRate: sampleRate), sampleRate: sampleRate)
    }

    /// Decodes an access unit into its 1024 frames.
    package func decode(_ payload: [UInt8]) throws(CodecError) -> PCMBuffer {
        try context.decodeOne(payload, as: outputFormat)
    }

    /// Discards the overlap with the previous unit.
    package func reset() { context.flush() }
}

extension DecoderContext {
    /// Decodes one packet into all of its frames.
    fileprivate func decodeOne(_ payload: [UInt8], as format: PCMFormat) throws(CodecError) -> PCMBuffer {
        let sent = payload.withUnsafeBytes { send($0, timestamp: 0, duration: 0) }
        try CodecError.check(sent, "avcodec_send_packet")
        var output: PCMBuffer?
        while true {
            let (frame, code) = receive()
            guard let frame else {
                if code == shim_averror(11) { return output ?? PCMBuffer(format: format) }
                throw CodecError(code: code, operation: "avcodec_receive_frame")
            }
            guard let pcm = frame.pcm(as: format) else {
                throw CodecError(code: shim_AVERROR_INVALIDDATA, operation: "avcodec_receive_frame")
            }
            // Nearly always a packet yields one frame.
            if output == nil { output = pcm } else { output?.append(pcm) }
        }
    }
}
