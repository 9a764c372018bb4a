import CTuttiFFmpeg
import TuttiMediaTime

/// An FFmpeg encoder with its frame and packet, freed with this object.
final class EncoderContext {
    struct Settings {
        var codecID: AVCodecID
        var sampleRate: SampleRate
        var sampleFormat: AVSampleFormat
        var bitRate: Int64 = 0
        var bitsPerRawSample: Int32 = 0
        /// Frames per packet, for codecs that leave the choice to the caller.
        var frameSize: Int32?
        /// The encoder's effort; `nil` for the codec's default.
        var compressionLevel: Int32?
        var channelCount: Int32 = 2
    }

    private let context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let capacity: Int32
    private let channelCount: Int

    init(_ settings: Settings) throws(CodecError) {
        FormatSource.silenced
        guard let codec = avcodec_find_encoder(settings.codecID) else {
            throw CodecError(code: 0, operation: "avcodec_find_encoder")
        }
        guard let context = avcodec_alloc_context3(codec), let frame = av_frame_alloc(),
            let packet = av_packet_alloc()
        else { throw CodecError(code: shim_averror(12), operation: "avcodec_alloc_context3") }
        (self.context, self.frame, self.packet) = (context, frame, packet)
        channelCount = Int(settings.channelCount)
        context.pointee.sample_rate = Int32(settings.sampleRate.hertz)
        context.pointee.sample_fmt = settings.sampleFormat
        context.pointee.bit_rate = settings.bitRate
        context.pointee.bits_per_raw_sample = settings.bitsPerRawSample
        context.pointee.time_base = AVRational(num: 1, den: Int32(settings.sampleRate.hertz))
        // Without this flag, AAC's first packet carries FFmpeg's name and version.
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        context.pointee.thread_count = 1
        if let level = settings.compressionLevel { context.pointee.compression_level = level }
        av_channel_layout_default(&context.pointee.ch_layout, settings.channelCount)
        let opened = avcodec_open2(context, codec, nil)
        // `avcodec_open2` sets its own packet length.
        if let frameSize = settings.frameSize { context.pointee.frame_size = frameSize }
        capacity = context.pointee.frame_size
        // From here on `deinit` frees.
        try CodecError.check(opened, "avcodec_open2")
        try allocateFrame()
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    /// The most frames in one packet.
    var framesPerPacket: Int { Int(capacity) }

    /// The delay of the decoded sound, in frames.
    var delay: Int { Int(context.pointee.initial_padding) }

    var cookie: [UInt8] {
        Array(
            UnsafeBufferPointer(start: context.pointee.extradata, count: Int(context.pointee.extradata_size)))
    }

    /// Encodes interleaved frames after splitting them into the encoder's planes.
    func send<Sample: BitwiseCopyable>(_ samples: UnsafeBufferPointer<Sample>) throws(CodecError) {
        frame.pointee.nb_samples = capacity
        try CodecError.check(av_frame_make_writable(frame), "av_frame_make_writable")
        let count = samples.count / channelCount
        guard count <= Int(capacity), let planes = frame.pointee.extended_data else {
            throw CodecError(code: shim_averror(22), operation: "avcodec_send_frame")
        }
        for channel in 0..<channelCount {
            guard let plane = planes[channel] else {
                throw CodecError(code: shim_averror(22), operation: "avcodec_send_frame")
            }
            plane.withMemoryRebound(to: Sample.self, capacity: count) { plane in
                for index in 0..<count { plane[index] = samples[index * channelCount + channel] }
            }
        }
        frame.pointee.nb_samples = Int32(count)
        try CodecError.check(avcodec_send_frame(context, frame), "avcodec_send_frame")
        frame.pointee.pts += Int64(count)
    }

    /// Signals the end of the stream.
    func sendEnd() throws(CodecError) {
        try CodecError.check(avcodec_send_frame(context, nil), "avcodec_send_frame")
    }

    /// Appends the next packet's bytes; returns `false` if no packet is ready.
    func receive(into payload: inout [UInt8]) throws(CodecError) -> Bool {
        let code = avcodec_receive_packet(context, packet)
        if code == shim_averror(11) || code == shim_AVERROR_EOF { return false }
        try CodecError.check(code, "avcodec_receive_packet")
        payload.append(
            contentsOf: UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
        av_packet_unref(packet)
        return true
    }

    private func allocateFrame() throws(CodecError) {
        frame.pointee.nb_samples = capacity
        frame.pointee.format = context.pointee.sample_fmt.rawValue
        frame.pointee.sample_rate = context.pointee.sample_rate
        frame.pointee.pts = 0
        try CodecError.check(
            av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout),
            "av_channel_layout_copy")
        try CodecError.check(av_frame_get_buffer(frame, 0), "av_frame_get_buffer")
    }
}
