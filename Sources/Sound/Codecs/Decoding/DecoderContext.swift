import CTuttiFFmpeg
import TuttiMediaTime

/// An FFmpeg decoder with its packet and frame, freed with this object.
final class DecoderContext {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let frame: UnsafeMutablePointer<AVFrame>

    init(_ parameters: AudioStreamParameters) throws(CodecError) {
        FormatSource.silenced
        guard let codec = avcodec_find_decoder(AVCodecID(rawValue: parameters.codecID)) else {
            throw CodecError(code: 0, operation: "avcodec_find_decoder")
        }
        guard let context = avcodec_alloc_context3(codec), let packet = av_packet_alloc(),
            let frame = av_frame_alloc()
        else { throw CodecError(code: shim_averror(12), operation: "avcodec_alloc_context3") }
        (self.context, self.packet, self.frame) = (context, packet, frame)
        // From here on `deinit` frees.
        try Self.apply(parameters, to: context)
        context.pointee.pkt_timebase = AVRational(num: 1, den: Int32(parameters.sampleRate.hertz))
        // `AudioDecoder` trims by its own count; FFmpeg would trim a second time.
        context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
        context.pointee.thread_count = 1
        try CodecError.check(avcodec_open2(context, codec, nil), "avcodec_open2")
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    private static func apply(
        _ parameters: AudioStreamParameters, to context: UnsafeMutablePointer<AVCodecContext>
    ) throws(CodecError) {
        var library = avcodec_parameters_alloc()
        defer { avcodec_parameters_free(&library) }
        guard let library else {
            throw CodecError(code: shim_averror(12), operation: "avcodec_parameters_alloc")
        }
        try parameters.fill(library)
        try CodecError.check(avcodec_parameters_to_context(context, library), "avcodec_parameters_to_context")
    }

    /// Sends one packet to the decoder; copies the bytes and adds FFmpeg's padding.
    ///
    /// - Returns: 0 or FFmpeg's error code.
    func send(_ payload: UnsafeRawBufferPointer, timestamp: Int64, duration: Int) -> Int32 {
        av_packet_unref(packet)
        // An empty packet would signal the end of the stream.
        guard let source = payload.baseAddress, payload.count > 0, payload.count < Int(Int32.max) / 2 else {
            return shim_AVERROR_INVALIDDATA
        }
        let code = av_new_packet(packet, Int32(payload.count))
        if code < 0 { return code }
        UnsafeMutableRawPointer(packet.pointee.data).copyMemory(from: source, byteCount: payload.count)
        packet.pointee.pts = timestamp
        packet.pointee.dts = timestamp
        packet.pointee.duration = Int64(duration)
        defer { av_packet_unref(packet) }
        return avcodec_send_packet(context, packet)
    }

    /// Signals the end of the stream.
    func sendEnd() { avcodec_send_packet(context, nil) }

    /// Returns the next decoded frame, valid until the next call, or FFmpeg's error code.
    func receive() -> (frame: DecodedFrame?, code: Int32) {
        let code = avcodec_receive_frame(context, frame)
        return (code < 0 ? nil : DecodedFrame(frame: frame), code)
    }

    /// Discards all decoding state.
    func flush() { avcodec_flush_buffers(context) }
}
