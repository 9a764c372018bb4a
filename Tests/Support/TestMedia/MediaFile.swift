import CTuttiFFmpeg
import TuttiMediaTime
import TuttiPCM

package struct MediaFileError: Error {
    package var step: String
    package var code: Int32
}

/// Writes files of every kind with the library's own encoders and containers.
package struct MediaFile: Sendable {
    let codec: String
    let sampleFormat: AVSampleFormat
    var bitRate: Int64 = 0
    var bitsPerRawSample: Int32 = 0
    /// Metadata by the library's names.
    package var tags: [(String, String)] = []
    var options: [(String, String)] = []
    /// Options of the container.
    package var containerOptions: [(String, String)] = []
    /// Chapters in order.
    package var chapters: [Chapter] = []
    /// A JPEG to attach.
    package var picture: [UInt8] = []

    /// - Parameters:
    ///   - codec: The library's name of an encoder.
    ///   - sampleFormat: The encoder's input format.
    ///   - options: Options of the encoder.
    package init(
        codec: String, sampleFormat: AVSampleFormat, bitRate: Int64 = 0, bitsPerRawSample: Int32 = 0,
        options: [(String, String)] = []
    ) {
        self.codec = codec
        self.sampleFormat = sampleFormat
        self.bitRate = bitRate
        self.bitsPerRawSample = bitsPerRawSample
        self.options = options
    }

    /// Finds the kind by a file name.
    package static let kinds: [(name: String, file: MediaFile, isLossless: Bool)] = [
        ("a.wav", MediaFile(codec: "pcm_s16le", sampleFormat: AV_SAMPLE_FMT_S16), true),
        ("a24.wav", MediaFile(codec: "pcm_s24le", sampleFormat: AV_SAMPLE_FMT_S32), true),
        ("a.aiff", MediaFile(codec: "pcm_s16be", sampleFormat: AV_SAMPLE_FMT_S16), true),
        ("a.flac", MediaFile(codec: "flac", sampleFormat: AV_SAMPLE_FMT_S16), true),
        ("a24.flac", MediaFile(codec: "flac", sampleFormat: AV_SAMPLE_FMT_S32, bitsPerRawSample: 24), true),
        ("alac.m4a", MediaFile(codec: "alac", sampleFormat: AV_SAMPLE_FMT_S16P), true),
        (
            "alac24.m4a", MediaFile(codec: "alac", sampleFormat: AV_SAMPLE_FMT_S32P, bitsPerRawSample: 24),
            true
        ),
        ("aac.m4a", MediaFile(codec: "aac", sampleFormat: AV_SAMPLE_FMT_FLTP, bitRate: 256_000), false),
        ("aac.aac", MediaFile(codec: "aac", sampleFormat: AV_SAMPLE_FMT_FLTP, bitRate: 256_000), false),
        (
            "cbr.mp3", MediaFile(codec: "libmp3lame", sampleFormat: AV_SAMPLE_FMT_FLTP, bitRate: 192_000),
            false
        ),
        (
            "vbr.mp3",
            MediaFile(
                codec: "libmp3lame", sampleFormat: AV_SAMPLE_FMT_FLTP, options: [("global_quality", "236")]),
            false
        ),
        ("a.ogg", MediaFile(codec: "libvorbis", sampleFormat: AV_SAMPLE_FMT_FLTP, bitRate: 192_000), false),
        ("a.opus", MediaFile(codec: "libopus", sampleFormat: AV_SAMPLE_FMT_FLT, bitRate: 128_000), false),
        ("opus.webm", MediaFile(codec: "libopus", sampleFormat: AV_SAMPLE_FMT_FLT, bitRate: 128_000), false),
    ]

    /// Returns the kind of a name in ``kinds``.
    package static func kind(_ name: String) -> MediaFile {
        kinds.first { $0.name == name }?.file ?? kinds[0].file
    }

    /// Encodes stereo float samples into a new file; the path's extension determines the container.
    package func write(_ samples: PCMBuffer, to path: String) throws {
        var output: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_alloc_output_context2(&output, nil, nil, path), "alloc output")
        defer { avformat_free_context(output) }
        guard let output, let codec = avcodec_find_encoder_by_name(codec),
            let stream = avformat_new_stream(output, nil)
        else { throw MediaFileError(step: "find \(codec)", code: 0) }
        var context = avcodec_alloc_context3(codec)
        defer { avcodec_free_context(&context) }
        guard let context else { throw MediaFileError(step: "alloc", code: 0) }
        configure(context, rate: samples.format.sampleRate, channels: samples.format.channelCount)
        if output.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 {
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        }
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        for (key, value) in options {
            if key == "global_quality" { context.pointee.flags |= AV_CODEC_FLAG_QSCALE }
            av_dict_set(&dictionary, key, value, 0)
        }
        try check(avcodec_open2(context, codec, &dictionary), "open")
        try check(avcodec_parameters_from_context(stream.pointee.codecpar, context), "parameters")
        stream.pointee.time_base = context.pointee.time_base
        for (key, value) in tags { av_dict_set(&output.pointee.metadata, key, value, 0) }
        Self.add(chapters, to: output)
        let pictureStream = picture.isEmpty ? nil : attachPicture(to: output)
        try check(avio_open(&output.pointee.pb, path, AVIO_FLAG_WRITE), "avio_open")
        defer { avio_closep(&output.pointee.pb) }
        var layout: OpaquePointer?
        defer { av_dict_free(&layout) }
        for (key, value) in containerOptions { av_dict_set(&layout, key, value, 0) }
        try check(avformat_write_header(output, &layout), "header")
        if let pictureStream { try writePicture(pictureStream, to: output) }
        try encodeAll(samples, context, output, stream)
        try check(av_write_trailer(output), "trailer")
    }

    private func configure(_ context: UnsafeMutablePointer<AVCodecContext>, rate: SampleRate, channels: Int) {
        context.pointee.sample_rate = Int32(rate.hertz)
        context.pointee.sample_fmt = sampleFormat
        context.pointee.bit_rate = bitRate
        context.pointee.bits_per_raw_sample = bitsPerRawSample
        context.pointee.time_base = AVRational(num: 1, den: Int32(rate.hertz))
        av_channel_layout_default(&context.pointee.ch_layout, Int32(channels))
    }

    private func encodeAll(
        _ samples: PCMBuffer, _ context: UnsafeMutablePointer<AVCodecContext>,
        _ output: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>
    ) throws {
        let step = context.pointee.frame_size > 0 ? Int(context.pointee.frame_size) : 4096
        let values = samples.floatSamples
        let channels = samples.format.channelCount
        for start in stride(from: 0, to: samples.frameCount, by: step) {
            let count = min(step, samples.frameCount - start)
            var frame = av_frame_alloc()
            defer { av_frame_free(&frame) }
            guard let frame else { throw MediaFileError(step: "frame", code: 0) }
            frame.pointee.nb_samples = Int32(count)
            frame.pointee.format = sampleFormat.rawValue
            frame.pointee.sample_rate = context.pointee.sample_rate
            frame.pointee.pts = Int64(start)
            try check(av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout), "layout")
            try check(av_frame_get_buffer(frame, 0), "buffer")
            let part = values[start * channels..<(start + count) * channels]
            try fill(frame, part, channels: channels)
            try check(avcodec_send_frame(context, frame), "send")
            try writePackets(context, output, stream)
        }
        try check(avcodec_send_frame(context, nil), "end")
        try writePackets(context, output, stream)
    }

    private func fill(_ frame: UnsafeMutablePointer<AVFrame>, _ values: ArraySlice<Float>, channels: Int)
        throws
    {
        let isPlanar = av_sample_fmt_is_planar(sampleFormat) != 0
        for (index, value) in values.enumerated() {
            let (channel, position) = (index % channels, index / channels)
            guard let plane = frame.pointee.extended_data[isPlanar ? channel : 0] else { continue }
            let room = UnsafeMutableRawPointer(plane)
            let offset = isPlanar ? position : index
            switch av_get_packed_sample_fmt(sampleFormat) {
            case AV_SAMPLE_FMT_S16:
                room.storeBytes(
                    of: SampleMath.int16(scaled: Double(value) * 0x1p15), toByteOffset: offset * 2,
                    as: Int16.self)
            case AV_SAMPLE_FMT_S32:
                room.storeBytes(of: SampleMath.int24in32(value), toByteOffset: offset * 4, as: Int32.self)
            default: room.storeBytes(of: value, toByteOffset: offset * 4, as: Float.self)
            }
        }
    }

    private func writePackets(
        _ context: UnsafeMutablePointer<AVCodecContext>, _ output: UnsafeMutablePointer<AVFormatContext>,
        _ stream: UnsafeMutablePointer<AVStream>
    ) throws {
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        while let packet, avcodec_receive_packet(context, packet) >= 0 {
            av_packet_rescale_ts(packet, context.pointee.time_base, stream.pointee.time_base)
            packet.pointee.stream_index = stream.pointee.index
            try check(av_interleaved_write_frame(output, packet), "write")
        }
    }

    private func attachPicture(to output: UnsafeMutablePointer<AVFormatContext>) -> UnsafeMutablePointer<
        AVStream
    >? {
        guard let stream = avformat_new_stream(output, nil) else { return nil }
        stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
        stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_MJPEG
        stream.pointee.codecpar.pointee.width = 16
        stream.pointee.codecpar.pointee.height = 16
        return stream
    }

    private func writePicture(
        _ stream: UnsafeMutablePointer<AVStream>, to output: UnsafeMutablePointer<AVFormatContext>
    ) throws {
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet else { return }
        try check(av_new_packet(packet, Int32(picture.count)), "picture")
        for (index, byte) in picture.enumerated() { packet.pointee.data[index] = byte }
        packet.pointee.stream_index = stream.pointee.index
        packet.pointee.flags |= AV_PKT_FLAG_KEY
        try check(av_write_frame(output, packet), "write picture")
    }

    private func check(_ code: Int32, _ step: String) throws {
        if code < 0 { throw MediaFileError(step: "\(codec): \(step)", code: code) }
    }
}
