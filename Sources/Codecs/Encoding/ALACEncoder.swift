internal import CFFmpeg
import MediaTime
import PCM

/// Makes ALAC packets for the wire, each on its own: 352 frames of stereo in, one packet out.
///
/// Lossless, bit for bit. For one thread at a time.
public final class ALACEncoder {
    public static let framesPerPacket = ALACConfiguration.framesPerPacket

    public let configuration: ALACConfiguration
    private var context: EncoderContext
    /// The library takes one short packet as the last of a stream.
    private var isSpent = false

    public init(_ configuration: ALACConfiguration) throws(CodecError) {
        self.configuration = configuration
        context = try Self.open(configuration)
    }

    /// Appends one packet made of up to ``framesPerPacket`` frames.
    ///
    /// - Parameter frames: 1 ... 352 frames of the configuration's PCM format, interleaved.
    /// - Returns: The number of bytes appended.
    @discardableResult
    public func encode(_ frames: UnsafeRawBufferPointer, into payload: inout [UInt8]) throws(CodecError)
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

    /// Appends one packet made of a buffer of 1 ... 352 frames.
    @discardableResult
    public func encode(_ buffer: PCMBuffer, into payload: inout [UInt8]) throws(CodecError) -> Int {
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
                bitsPerRawSample: Int32(configuration.bitDepth), frameSize: Int32(framesPerPacket)))
    }
}
