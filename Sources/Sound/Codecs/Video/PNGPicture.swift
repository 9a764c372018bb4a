import CTuttiFFmpeg

/// An encoder of single pictures as PNG files.
package enum PNGPicture {
    /// Returns a PNG file.
    ///
    /// - Parameter rows: The rows from top to bottom, each with three bytes a pixel: red, green, blue.
    /// - Throws: ``CodecError`` for an impossible size, without memory, or if this build of FFmpeg cannot encode PNG.
    package static func encode(width: Int, height: Int, rows: [[UInt8]]) throws(CodecError) -> [UInt8] {
        FormatSource.silenced
        guard VideoStreamParameters.isAllowed(width: width, height: height), rows.count == height,
            rows.allSatisfy({ $0.count == 3 * width })
        else { throw CodecError(code: shim_averror(22), operation: "png") }
        guard let codec = avcodec_find_encoder(AV_CODEC_ID_PNG) else {
            throw CodecError(code: 0, operation: "avcodec_find_encoder")
        }
        var context = avcodec_alloc_context3(codec)
        var frame = av_frame_alloc()
        var packet = av_packet_alloc()
        defer {
            avcodec_free_context(&context)
            av_frame_free(&frame)
            av_packet_free(&packet)
        }
        guard let context, let frame, let packet else {
            throw CodecError(code: shim_averror(12), operation: "av_frame_alloc")
        }
        (context.pointee.width, context.pointee.height) = (Int32(width), Int32(height))
        context.pointee.pix_fmt = AV_PIX_FMT_RGB24
        context.pointee.time_base = AVRational(num: 1, den: 1)
        context.pointee.thread_count = 1
        try CodecError.check(avcodec_open2(context, codec, nil), "avcodec_open2")
        (frame.pointee.width, frame.pointee.height) = (Int32(width), Int32(height))
        frame.pointee.format = AV_PIX_FMT_RGB24.rawValue
        frame.pointee.pts = 0
        try CodecError.check(av_frame_get_buffer(frame, 0), "av_frame_get_buffer")
        guard let target = frame.pointee.data.0 else {
            throw CodecError(code: shim_averror(12), operation: "av_frame_get_buffer")
        }
        for (index, row) in rows.enumerated() {
            (target + index * Int(frame.pointee.linesize.0)).update(from: row, count: row.count)
        }
        try CodecError.check(avcodec_send_frame(context, frame), "avcodec_send_frame")
        try CodecError.check(avcodec_send_frame(context, nil), "avcodec_send_frame")
        try CodecError.check(avcodec_receive_packet(context, packet), "avcodec_receive_packet")
        return Array(packet.payload)
    }
}
