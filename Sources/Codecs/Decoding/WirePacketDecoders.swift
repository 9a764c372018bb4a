internal import CFFmpeg
import MediaTime
import PCM

/// Turns ALAC packets as they go over the wire back into samples, one by one.
///
/// For one thread at a time.
public final class ALACPacketDecoder {
    public let configuration: ALACConfiguration
    private let context: DecoderContext

    public init(_ configuration: ALACConfiguration) throws(CodecError) {
        self.configuration = configuration
        // The library wants the cookie in its atom: size, name, version and flags.
        let atom = [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0] + configuration.cookie
        context = try DecoderContext(
            AudioStreamParameters(
                codecID: AV_CODEC_ID_ALAC, sampleRate: configuration.sampleRate, channelCount: 2,
                bitDepth: configuration.bitDepth, cookie: atom))
    }

    /// The packet's frames, in the configuration's PCM format.
    public func decode(_ payload: [UInt8]) throws(CodecError) -> PCMBuffer {
        try context.decodeOne(payload, as: configuration.pcmFormat)
    }
}

/// Turns raw AAC access units as they go over the wire back into samples, one by one.
///
/// A unit's output is the overlap with the one before: the first after a reset is not yet right.
/// For one thread at a time.
public final class AACPacketDecoder {
    /// 32 bit float.
    public let outputFormat: PCMFormat
    private let context: DecoderContext

    /// - Parameter cookie: The AudioSpecificConfig, e.g. ``AACEncoder/cookie``.
    public init(cookie: [UInt8], sampleRate: SampleRate, channelCount: Int = 2) throws(CodecError) {
        outputFormat = PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: .float32)
        context = try DecoderContext(
            AudioStreamParameters(
                codecID: AV_CODEC_ID_AAC, sampleRate: sampleRate, channelCount: channelCount, bitDepth: nil,
                cookie: cookie))
    }

    /// For the low complexity profile, stereo, at a rate of the standard's table.
    public convenience init(sampleRate: SampleRate) throws(CodecError) {
        try self.init(cookie: AACEncoder.lowComplexityCookie(sampleRate: sampleRate), sampleRate: sampleRate)
    }

    /// The unit's 1024 frames.
    public func decode(_ payload: [UInt8]) throws(CodecError) -> PCMBuffer {
        try context.decodeOne(payload, as: outputFormat)
    }

    /// Forgets the unit before.
    public func reset() { context.flush() }
}

extension DecoderContext {
    /// One packet in, its frames out.
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
            // Nearly always there is one.
            if output == nil { output = pcm } else { output?.append(pcm) }
        }
    }
}
