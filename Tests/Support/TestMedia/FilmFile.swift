import CTuttiFFmpeg
import Foundation

/// Writes small films with the library's own encoders and containers. Each picture tells its number, see ``FilmPattern``.
package struct FilmFile: Sendable {
    /// Samples of a picture of one colour.
    package struct Samples: Sendable {
        let values: [Int]

        /// - Parameter values: A number for each plane: luma, blue difference, red difference; or red, green, blue.
        package init(_ values: Int...) { self.values = values }
    }

    /// Colour tags, in code points of ITU-T H.273.
    package struct Color: Sendable {
        var matrix: UInt32
        var primaries: UInt32
        var transfer: UInt32
        var isFullRange: Bool

        package init(matrix: UInt32, primaries: UInt32, transfer: UInt32, isFullRange: Bool) {
            (self.matrix, self.primaries, self.transfer) = (matrix, primaries, transfer)
            self.isFullRange = isFullRange
        }
    }

    /// The library's name of an encoder.
    package var codec: String
    /// The library's name of a planar format, or `rgb24`.
    package var pixelFormat = "yuv420p"
    package var width = 160
    package var height = 96
    package var pictureCount = 60
    /// Pictures per second, as a fraction.
    package var rate: (Int32, Int32) = (25, 1)
    /// Options of the encoder.
    package var options: [(String, String)] = []
    /// The sound's encoder; `nil` for a film without sound.
    package var soundCodec: String?
    /// Seconds of sound; `nil` for as many as of pictures.
    package var soundSeconds: Double?
    /// The shape of a pixel.
    package var aspect: (Int32, Int32)?
    /// The matrix of ISO/IEC 14496-12 in nine numbers, see ``rotation(_:_:_:_:)``.
    package var displayMatrix: [Int32] = []
    package var color: Color?
    /// Pictures of one colour each, in turn, in place of numbers.
    package var samples: [Samples] = []
    /// Whether the pictures have noise, so that each takes several kilobytes.
    package var isNoisy = false
    /// The container, if not by the path's extension.
    package var container: String?
    /// Texts shown with the pictures, each for one second: its start in seconds, and its words.
    package var texts: [(Int64, String)] = []
    /// Extra time before a picture, in units of pictures, by its number.
    package var pauses: [Int: Int64] = [:]

    package init(_ codec: String, options: [(String, String)] = []) {
        (self.codec, self.options) = (codec, options)
    }

    /// A display matrix that shows a stored point (p, q) at (a p + c q, b p + d q).
    package static func rotation(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> [Int32] {
        [a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30]
    }

    /// The options of x264 for three pictures in a row that refer to both sides, and a key picture every twelve.
    ///
    /// - Parameter isOpen: Whether pictures shown before a key picture may refer to those before it.
    package static func h264(isOpen: Bool) -> FilmFile {
        let parameters = "keyint=12:min-keyint=12:bframes=3:b-adapt=0:scenecut=0:open-gop=\(isOpen ? 1 : 0)"
        return FilmFile(
            "libx264", options: [("preset", "veryfast"), ("x264-params", parameters), ("threads", "1")])
    }

    /// Encodes the film into a new file; the path's extension determines the container.
    package func write(to path: String) throws {
        av_log_set_level(AV_LOG_QUIET)
        var output: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_alloc_output_context2(&output, nil, container, path), "alloc output")
        defer { avformat_free_context(output) }
        guard let output else { throw MediaFileError(step: "alloc output", code: 0) }
        let pictures = try FilmTrack(output, codec) { try configure($0) }
        if !displayMatrix.isEmpty {
            try check(shim_set_display_matrix(pictures.stream, displayMatrix), "matrix")
        }
        if let aspect {
            pictures.stream.pointee.sample_aspect_ratio = AVRational(num: aspect.0, den: aspect.1)
        }
        pictures.stream.pointee.avg_frame_rate = AVRational(num: rate.0, den: rate.1)
        let sound = try soundCodec.map { codec in
            try FilmTrack(output, codec) { Self.configureSound($0, codec) }
        }
        let textStream = texts.isEmpty ? nil : Self.addTextStream(to: output)
        try check(avio_open(&output.pointee.pb, path, AVIO_FLAG_WRITE), "avio_open")
        defer { avio_closep(&output.pointee.pb) }
        try check(avformat_write_header(output, nil), "header")
        try writeTexts(textStream, to: output)
        try writePictures(pictures, sound)
        try pictures.finish()
        try sound?.finish()
        try check(av_write_trailer(output), "trailer")
    }

    private func writePictures(_ pictures: FilmTrack, _ sound: FilmTrack?) throws {
        let pattern = FilmPattern(width: width, height: height)
        var time: Int64 = 0
        for number in 0..<pictureCount {
            time += pauses[number] ?? 0
            try pictures.write { frame in
                (frame.pointee.width, frame.pointee.height) = (Int32(width), Int32(height))
                frame.pointee.format = av_get_pix_fmt(pixelFormat).rawValue
                frame.pointee.pts = time
                try check(av_frame_get_buffer(frame, 0), "buffer")
                try paint(frame, samples.isEmpty ? nil : samples[number % samples.count]) { x, y in
                    pattern.isWhite(number, x: x, y: y)
                }
            }
            time += 1
            let seconds = Double(time) * Double(rate.1) / Double(rate.0)
            try sound?.writeSilence(seconds: min(seconds, soundSeconds ?? seconds))
        }
    }

    private static func addTextStream(
        to output: UnsafeMutablePointer<AVFormatContext>
    ) -> UnsafeMutablePointer<AVStream>? {
        guard let stream = avformat_new_stream(output, nil) else { return nil }
        stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_SUBRIP
        stream.pointee.time_base = AVRational(num: 1, den: 1000)
        return stream
    }

    private func writeTexts(
        _ stream: UnsafeMutablePointer<AVStream>?, to output: UnsafeMutablePointer<AVFormatContext>
    ) throws {
        guard let stream else { return }
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet else { return }
        for (start, words) in texts {
            try check(av_new_packet(packet, Int32(words.utf8.count)), "text")
            for (index, byte) in words.utf8.enumerated() { packet.pointee.data[index] = byte }
            (packet.pointee.pts, packet.pointee.dts, packet.pointee.duration) = (
                start * 1000, start * 1000, 1000
            )
            packet.pointee.stream_index = stream.pointee.index
            packet.pointee.flags |= AV_PKT_FLAG_KEY
            av_packet_rescale_ts(packet, AVRational(num: 1, den: 1000), stream.pointee.time_base)
            try check(av_interleaved_write_frame(output, packet), "write text")
        }
    }

    private func configure(_ context: UnsafeMutablePointer<AVCodecContext>) throws -> [(String, String)] {
        (context.pointee.width, context.pointee.height) = (Int32(width), Int32(height))
        context.pointee.pix_fmt = av_get_pix_fmt(pixelFormat)
        context.pointee.time_base = AVRational(num: rate.1, den: rate.0)
        context.pointee.framerate = AVRational(num: rate.0, den: rate.1)
        if let aspect { context.pointee.sample_aspect_ratio = AVRational(num: aspect.0, den: aspect.1) }
        if let color {
            context.pointee.colorspace = AVColorSpace(rawValue: color.matrix)
            context.pointee.color_primaries = AVColorPrimaries(rawValue: color.primaries)
            context.pointee.color_trc = AVColorTransferCharacteristic(rawValue: color.transfer)
            context.pointee.color_range = color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        }
        context.pointee.strict_std_compliance = -1
        if options.contains(where: { $0.0 == "q" }) {
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = 3 * FF_QP2LAMBDA
        }
        return options.filter { $0.0 != "q" }
    }

    private static func configureSound(
        _ context: UnsafeMutablePointer<AVCodecContext>, _ codec: String
    ) -> [(String, String)] {
        context.pointee.sample_rate = 48_000
        context.pointee.sample_fmt =
            switch codec {
            case "libopus", "mp2", "pcm_s16le": AV_SAMPLE_FMT_S16
            default: AV_SAMPLE_FMT_FLTP
            }
        context.pointee.bit_rate = 64_000
        context.pointee.time_base = AVRational(num: 1, den: 48_000)
        av_channel_layout_default(&context.pointee.ch_layout, 2)
        return []
    }

    /// Fills a picture: white and black, or one colour.
    private func paint(
        _ frame: UnsafeMutablePointer<AVFrame>, _ samples: Samples?, isWhite: (Int, Int) -> Bool
    ) throws {
        try check(av_frame_make_writable(frame), "writable")
        guard let format = av_pix_fmt_desc_get(AVPixelFormat(rawValue: frame.pointee.format)) else { return }
        if pixelFormat == "rgb24" {
            guard let row = frame.pointee.data.0 else { return }
            for y in 0..<height {
                for x in 0..<width * 3 {
                    row[y * Int(frame.pointee.linesize.0) + x] =
                        samples.map { UInt8(clamping: $0.values[x % 3]) } ?? (isWhite(x / 3, y) ? 255 : 0)
                }
            }
            return
        }
        let depth = Int(format.pointee.comp.0.depth)
        let isFull = pixelFormat.hasPrefix("yuvj") || color?.isFullRange == true
        let (black, white) = isFull ? (0, (1 << depth) - 1) : (16 << (depth - 8), 235 << (depth - 8))
        let planes = [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2]
        let steps = [frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2].map(
            Int.init)
        var noise: UInt32 = UInt32(truncatingIfNeeded: frame.pointee.pts &+ 1)
        for plane in 0..<min(3, Int(format.pointee.nb_components)) {
            guard let memory = planes[plane] else { continue }
            let shifts = plane == 0 ? (0, 0) : (format.pointee.log2_chroma_w, format.pointee.log2_chroma_h)
            let size = (-((-width) >> Int(shifts.0)), -((-height) >> Int(shifts.1)))
            for y in 0..<size.1 {
                for x in 0..<size.0 {
                    var value =
                        samples?.values[plane]
                        ?? (plane > 0 ? 1 << (depth - 1) : isWhite(x, y) ? white : black)
                    if isNoisy, plane == 0 {
                        noise = noise &* 1_664_525 &+ 1_013_904_223
                        value = max(16, min(235, value + Int(noise >> 25) - 64))
                    }
                    if depth == 8 {
                        memory[y * steps[plane] + x] = UInt8(clamping: value)
                    } else {
                        UnsafeMutableRawPointer(memory).storeBytes(
                            of: UInt16(clamping: value), toByteOffset: y * steps[plane] + 2 * x,
                            as: UInt16.self)
                    }
                }
            }
        }
    }

    private func check(_ code: Int32, _ step: String) throws {
        if code < 0 { throw MediaFileError(step: "\(codec): \(step)", code: code) }
    }
}

/// One stream of a film that is written.
private final class FilmTrack {
    let stream: UnsafeMutablePointer<AVStream>
    private let output: UnsafeMutablePointer<AVFormatContext>
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let codec: String
    private var frameTime: Int64 = 0

    init(
        _ output: UnsafeMutablePointer<AVFormatContext>, _ codec: String,
        configure: (UnsafeMutablePointer<AVCodecContext>) throws -> [(String, String)]
    ) throws {
        guard let encoder = avcodec_find_encoder_by_name(codec),
            let stream = avformat_new_stream(output, nil),
            let context = avcodec_alloc_context3(encoder), let packet = av_packet_alloc()
        else { throw MediaFileError(step: "find \(codec)", code: 0) }
        (self.output, self.codec, self.stream) = (output, codec, stream)
        (self.context, self.packet) = (context, packet)
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        for (key, value) in try configure(context) { av_dict_set(&dictionary, key, value, 0) }
        if output.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 {
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        }
        context.pointee.thread_count = 1
        try check(avcodec_open2(context, encoder, &dictionary), "open")
        try check(avcodec_parameters_from_context(stream.pointee.codecpar, context), "parameters")
        stream.pointee.time_base = context.pointee.time_base
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    func write(_ fill: (UnsafeMutablePointer<AVFrame>) throws -> Void) throws {
        var frame = av_frame_alloc()
        defer { av_frame_free(&frame) }
        guard let frame else { throw MediaFileError(step: "frame", code: 0) }
        try fill(frame)
        try check(avcodec_send_frame(context, frame), "send")
        try writePackets()
    }

    /// Writes silence up to a time.
    func writeSilence(seconds: Double) throws {
        let size = Int(context.pointee.frame_size > 0 ? context.pointee.frame_size : 1024)
        while Double(frameTime) < seconds * 48_000 {
            try write { frame in
                frame.pointee.nb_samples = Int32(size)
                frame.pointee.format = context.pointee.sample_fmt.rawValue
                frame.pointee.sample_rate = context.pointee.sample_rate
                frame.pointee.pts = frameTime
                try check(
                    av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout), "layout")
                try check(av_frame_get_buffer(frame, 0), "buffer")
                av_samples_set_silence(
                    frame.pointee.extended_data, 0, Int32(size), 2, context.pointee.sample_fmt)
            }
            frameTime += Int64(size)
        }
    }

    func finish() throws {
        try check(avcodec_send_frame(context, nil), "end")
        try writePackets()
    }

    private func writePackets() throws {
        while avcodec_receive_packet(context, packet) >= 0 {
            av_packet_rescale_ts(packet, context.pointee.time_base, stream.pointee.time_base)
            if packet.pointee.duration == 0, context.pointee.codec_type == AVMEDIA_TYPE_VIDEO {
                packet.pointee.duration = av_rescale_q(1, context.pointee.time_base, stream.pointee.time_base)
            }
            packet.pointee.stream_index = stream.pointee.index
            try check(av_interleaved_write_frame(output, packet), "write")
        }
    }

    private func check(_ code: Int32, _ step: String) throws {
        if code < 0 { throw MediaFileError(step: "\(codec): \(step)", code: code) }
    }
}
