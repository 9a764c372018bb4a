internal import CFFmpeg

/// One opened container of the library and the packet it reads into, freed with this object.
final class FormatSource {
    /// The library asks this, by address, while it waits; it lives as long as the context.
    let interrupt: MediaInterrupt
    let name: SourceName
    private(set) var context: UnsafeMutablePointer<AVFormatContext>
    let packet: UnsafeMutablePointer<AVPacket>
    private let timeLimit: Duration

    /// The containers that can hold music. Playlists and scripts, which name other files, are not among them.
    private static let formats =
        "aac,ac3,aiff,amr,ape,asf,au,avi,caf,dsf,dts,eac3,flac,iff,matroska,webm,mov,mp4,m4a,mp3,mpc,mpc8,"
        + "mpeg,mpegts,ogg,rm,tak,truehd,tta,voc,w64,wav,wv"

    /// The library writes to the standard error by itself unless told not to; read once, by whoever comes first.
    static let silenced: Void = av_log_set_level(AV_LOG_QUIET)

    init(
        _ name: SourceName, request: WebRequest, interrupt: MediaInterrupt, timeLimit: Duration
    ) throws(MediaError) {
        Self.silenced
        try name.check()
        interrupt.restart(limit: timeLimit)
        guard let packet = av_packet_alloc() else { throw Self.outOfMemory(name) }
        do {
            context = try Self.open(name, request, interrupt)
        } catch {
            var packet: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&packet)
            throw error
        }
        self.packet = packet
        self.interrupt = interrupt
        self.name = name
        self.timeLimit = timeLimit
        // From here on `deinit` frees.
        let code = avformat_find_stream_info(context, nil)
        if code < 0 { throw Self.failure(code, name, interrupt) }
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    private static func open(
        _ name: SourceName, _ request: WebRequest, _ interrupt: MediaInterrupt
    ) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
        var context = avformat_alloc_context()
        guard let fresh = context else { throw outOfMemory(name) }
        fresh.pointee.interrupt_callback = AVIOInterruptCB(
            callback: { address in
                guard let address else { return 0 }
                return Unmanaged<MediaInterrupt>.fromOpaque(address).takeUnretainedValue().shouldStop ? 1 : 0
            }, opaque: Unmanaged.passUnretained(interrupt).toOpaque())
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "format_whitelist", formats, 0)
        av_dict_set(
            &options, "protocol_whitelist", name.isRemote ? "http,https,httpproxy,tcp,tls,crypto" : "file", 0)
        // See ``MP4EditList``.
        av_dict_set(&options, "advanced_editlist", "0", 0)
        if name.isRemote {
            av_dict_set(&options, "reconnect", "1", 0)
            for option in request.options { av_dict_set(&options, option.name, option.value, 0) }
        }
        let code = avformat_open_input(&context, name.location, nil, &options)
        guard code >= 0, let context else { throw failure(code, name, interrupt) }
        return context
    }

    func stream(_ index: Int32) -> UnsafeMutablePointer<AVStream>? {
        guard index >= 0, index < Int32(clamping: context.pointee.nb_streams) else { return nil }
        return context.pointee.streams[Int(index)]
    }

    var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int32(clamping: context.pointee.nb_streams)).compactMap(stream)
    }

    /// Reads the next packet of one stream into ``packet``.
    ///
    /// - Returns: 0, or the library's code: `AVERROR_EOF` at the end.
    func readPacket(of stream: Int32) -> Int32 {
        interrupt.restart(limit: timeLimit)
        while true {
            av_packet_unref(packet)
            let code = av_read_frame(context, packet)
            if code < 0 || packet.pointee.stream_index == stream { return code }
            if interrupt.shouldStop { return shim_AVERROR_EXIT }
        }
    }

    /// Goes to a packet at or before a time in the stream's own units.
    func seek(stream: Int32, to time: Int64) -> Int32 {
        interrupt.restart(limit: timeLimit)
        return av_seek_frame(context, stream, time, AVSEEK_FLAG_BACKWARD)
    }

    func failure(_ code: Int32) -> MediaError { Self.failure(code, name, interrupt) }

    private static func outOfMemory(_ name: SourceName) -> MediaError {
        .readFailed(name: name.displayName, code: shim_averror(12), reason: "out of memory")
    }

    private static func failure(_ code: Int32, _ name: SourceName, _ interrupt: MediaInterrupt) -> MediaError
    {
        if interrupt.isCancelled { return .cancelled }
        let (title, reason) = (name.displayName, LibraryText.of(code))
        switch code {
        case shim_AVERROR_EXIT: return .timedOut(name: title)
        case shim_AVERROR_HTTP_BAD_REQUEST, shim_AVERROR_HTTP_UNAUTHORIZED, shim_AVERROR_HTTP_FORBIDDEN,
            shim_AVERROR_HTTP_NOT_FOUND, shim_AVERROR_HTTP_OTHER_4XX, shim_AVERROR_HTTP_SERVER_ERROR:
            return .refused(name: title, reason: reason)
        case shim_AVERROR_INVALIDDATA, shim_AVERROR_EOF, shim_averror(22), shim_averror(38):
            return looksLikeMedia(name) ? .damaged(name: title) : .notAudio(name: title)
        default:
            return name.isRemote
                ? .unreachable(name: title, reason: reason)
                : .readFailed(name: title, code: code, reason: reason)
        }
    }

    /// Whether the first bytes of a file are plainly one of our formats.
    private static func looksLikeMedia(_ name: SourceName) -> Bool {
        let start = name.bytes(4096)
        if start.isEmpty { return false }
        var padded = start + [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
        return padded.withUnsafeMutableBufferPointer { bytes in
            var score: Int32 = 0
            var probe = AVProbeData()
            probe.buf = bytes.baseAddress
            probe.buf_size = Int32(start.count)
            guard let format = av_probe_input_format3(&probe, 1, &score), score > AVPROBE_SCORE_MAX / 2 else {
                return false
            }
            let names = String(cString: format.pointee.name).split(separator: ",")
            return names.contains { formats.split(separator: ",").contains($0) }
        }
    }
}
