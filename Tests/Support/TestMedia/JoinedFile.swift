import CTuttiFFmpeg

/// Several audio tracks in one file, side by side.
package enum JoinedFile {
    /// Copies the first stream of each source into a new file; the path's extension determines the container.
    ///
    /// - Parameter sources: Paths, and languages as ISO 639-2 codes.
    package static func write(_ sources: [(path: String, language: String)], to path: String) throws {
        var output: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_alloc_output_context2(&output, nil, nil, path), "alloc output")
        defer { avformat_free_context(output) }
        guard let output else { throw MediaFileError(step: "alloc output", code: 0) }
        var inputs: [UnsafeMutablePointer<AVFormatContext>] = []
        defer {
            for input in inputs {
                var input: UnsafeMutablePointer<AVFormatContext>? = input
                avformat_close_input(&input)
            }
        }
        for source in sources {
            let input = try open(source.path)
            inputs.append(input)
            try addStream(to: output, like: input, language: source.language)
        }
        try check(avio_open(&output.pointee.pb, path, AVIO_FLAG_WRITE), "avio_open")
        defer { avio_closep(&output.pointee.pb) }
        try check(avformat_write_header(output, nil), "header")
        for (index, input) in inputs.enumerated() { try copy(input, to: output, stream: Int32(index)) }
        try check(av_write_trailer(output), "trailer")
    }

    private static func open(_ path: String) throws -> UnsafeMutablePointer<AVFormatContext> {
        var input: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_open_input(&input, path, nil, nil), "open \(path)")
        guard let input else { throw MediaFileError(step: "open \(path)", code: 0) }
        try check(avformat_find_stream_info(input, nil), "find stream info")
        return input
    }

    private static func addStream(
        to output: UnsafeMutablePointer<AVFormatContext>, like input: UnsafeMutablePointer<AVFormatContext>,
        language: String
    ) throws {
        guard let source = input.pointee.streams[0], let stream = avformat_new_stream(output, nil) else {
            throw MediaFileError(step: "new stream", code: 0)
        }
        try check(avcodec_parameters_copy(stream.pointee.codecpar, source.pointee.codecpar), "parameters")
        stream.pointee.codecpar.pointee.codec_tag = 0
        stream.pointee.time_base = source.pointee.time_base
        av_dict_set(&stream.pointee.metadata, "language", language, 0)
    }

    private static func copy(
        _ input: UnsafeMutablePointer<AVFormatContext>, to output: UnsafeMutablePointer<AVFormatContext>,
        stream index: Int32
    ) throws {
        guard let from = input.pointee.streams[0], let to = output.pointee.streams[Int(index)] else { return }
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        while let packet, av_read_frame(input, packet) >= 0 {
            if packet.pointee.stream_index == 0 {
                av_packet_rescale_ts(packet, from.pointee.time_base, to.pointee.time_base)
                packet.pointee.stream_index = index
                packet.pointee.pos = -1
                try check(av_interleaved_write_frame(output, packet), "write")
            }
            av_packet_unref(packet)
        }
    }

    private static func check(_ code: Int32, _ step: String) throws {
        if code < 0 { throw MediaFileError(step: step, code: code) }
    }
}
