import CTuttiFFmpeg
import TuttiMediaTime
import TuttiPCM

/// An encoder that makes AAC-LC or ALAC packets from interleaved frames of 1 to 8 channels.
///
/// Not thread-safe. After ``finish()`` the next frames begin a new stream.
package final class PacketEncoder {
    /// The codec and its setting.
    package enum Kind: Hashable, Sendable {
        /// AAC-LC at a bit rate in bits per second.
        case aac(bitRate: Int)
        /// ALAC with 16 or 24 bits per sample.
        case alac(bitDepth: Int)
    }

    /// The encoder's input: float for AAC, 16 or 24 bits for ALAC.
    package let inputFormat: PCMFormat
    /// Frames in one full packet.
    package let framesPerPacket: Int
    /// Frames at the start of the decoded stream that are not part of the sound.
    package let delay: Int
    /// AudioSpecificConfig, or the 24 bytes of ALACSpecificConfig.
    package let cookie: [UInt8]

    private let settings: EncoderContext.Settings
    private var context: EncoderContext

    /// Opens an encoder.
    ///
    /// - Throws: ``CodecError`` if the encoder does not accept the rate or the channel count.
    package init(_ kind: Kind, sampleRate: SampleRate, channelCount: Int) throws(CodecError) {
        guard (1...8).contains(channelCount) else {
            throw CodecError(code: shim_averror(22), operation: "avcodec_open2")
        }
        let format: SampleFormat
        switch kind {
        case .aac(let bitRate):
            format = .float32
            settings = .init(
                codecID: AV_CODEC_ID_AAC, sampleRate: sampleRate, sampleFormat: AV_SAMPLE_FMT_FLTP,
                bitRate: Int64(bitRate), channelCount: Int32(channelCount))
        case .alac(let bitDepth):
            format = bitDepth <= 16 ? .int16 : .int24in32
            settings = .init(
                codecID: AV_CODEC_ID_ALAC, sampleRate: sampleRate,
                sampleFormat: bitDepth <= 16 ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_S32P,
                bitsPerRawSample: bitDepth <= 16 ? 16 : 24, channelCount: Int32(channelCount))
        }
        inputFormat = PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: format)
        context = try EncoderContext(settings)
        framesPerPacket = context.framesPerPacket
        delay = context.delay
        // FFmpeg gives the ALAC cookie in its atom of 36 bytes.
        cookie = settings.codecID == AV_CODEC_ID_ALAC ? Array(context.cookie.suffix(24)) : context.cookie
    }

    /// Encodes a buffer and returns the packets it completes.
    ///
    /// - Parameter buffer: ``framesPerPacket`` frames; fewer only at the end of the stream.
    package func encode(_ buffer: PCMBuffer) throws(CodecError) -> [[UInt8]] {
        precondition(buffer.format == inputFormat, "formats differ")
        try buffer.withUnsafeBytes { (frames: UnsafeRawBufferPointer) throws(CodecError) in
            switch inputFormat.sampleFormat {
            case .int16: try context.send(frames.bindMemory(to: Int16.self))
            case .int24in32, .int32: try context.send(frames.bindMemory(to: Int32.self))
            case .float32: try context.send(frames.bindMemory(to: Float.self))
            }
        }
        return try receiveAll()
    }

    /// Ends the stream and returns its remaining packets.
    package func finish() throws(CodecError) -> [[UInt8]] {
        try context.sendEnd()
        let rest = try receiveAll()
        try reset()
        return rest
    }

    /// Discards all encoding state.
    package func reset() throws(CodecError) { context = try EncoderContext(settings) }

    private func receiveAll() throws(CodecError) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        while true {
            var packet: [UInt8] = []
            guard try context.receive(into: &packet) else { return packets }
            packets.append(packet)
        }
    }
}
