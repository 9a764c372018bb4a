import CTuttiFFmpeg
import TuttiMediaTime
import TuttiPCM

/// An ALAC encoder for packets sent to speakers: takes 352 frames of stereo, returns one self-contained
/// packet.
///
/// Lossless. Not thread-safe.
package final class ALACEncoder {
    /// Frames in one full packet.
    package static let framesPerPacket = ALACConfiguration.framesPerPacket

    /// The packets' format.
    package let configuration: ALACConfiguration
    private var context: EncoderContext
    /// Whether the context took a short packet. FFmpeg accepts a short packet only at the end of a stream.
    private var isSpent = false

    /// Opens an encoder.
    package init(_ configuration: ALACConfiguration) throws(CodecError) {
        self.configuration = configuration
        context = try Self.open(configuration)
    }

    /// Encodes up to ``framesPerPacket`` frames and appends the packet.
    ///
    /// - Parameter frames: 1 ... 352 frames of the configuration's PCM format, interleaved.
    /// - Returns: The number of bytes appended.
    @discardableResult
    package func encode(_ frames: UnsafeRawBufferPointer, into payload: inout [UInt8]) throws(CodecError)
        -> Int
    {
        let frameCount = frames.count / configuration.pcmFormat.bytesPerFrame
        precondition((1...Self.framesPerPacket).contains(frameCount), "1 ... 352 frames make a packet")
        if isSpent { context = try Self.open(configuration) }
        isSpent = frameCount < Self.framesPerPacket
        let before = payload.count
        if configuration.bitDepth == 16 {
            try context.send(frames.bindMemory(to: Int16.self))
        } else {
            try context.send(frames.bindMemory(to: Int32.self))
        }
        guard try context.receive(into: &payload) else {
            throw CodecError(code: shim_averror(11), operation: "avcodec_receive_packet")
        }
        return payload.count - before
    }

    /// Encodes a buffer of 1 ... 352 frames and appends the packet.
    @discardableResult
    package func encode(_ buffer: PCMBuffer, into payload: inout [UInt8]) throws(CodecError) -> Int {
        precondition(buffer.format == configuration.pcmFormat, "formats differ")
        return try buffer.withUnsafeBytes { (frames: UnsafeRawBufferPointer) throws(CodecError) -> Int in
            try encode(frames, into: &payload)
        }
    }

    private static func open(_ configuration: ALACConfiguration) throws(CodecError) -> EncoderContext {
        try EncoderContext(
            .init(
                codecID: AV_CODEC_ID_ALAC, sampleRate: configuration.sampleRate,
                sampleFormat: configuration.bitDepth == 16 ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_S32P,
                bitsPerRawSample: Int32(configuration.bitDepth), frameSize: Int32(framesPerPacket),
                compressionLevel: configuration.isCompressed ? nil : 0))
    }
}
