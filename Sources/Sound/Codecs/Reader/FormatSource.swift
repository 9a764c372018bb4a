import CTuttiFFmpeg
import TuttiWeb

/// An opened FFmpeg container with its packet buffer, freed with this object.
final class FormatSource {
    /// The interrupt that FFmpeg polls while it blocks. FFmpeg holds its address, so it must outlive the
    /// context.
    let interrupt: MediaInterrupt
    let name: SourceName
    let context: UnsafeMutablePointer<AVFormatContext>
    /// The inputs that replace file access; `nil` for a file.
    let web: WebInputs?
    /// Whether the source is an HLS playlist.
    let isPlaylist: Bool
    let packet: UnsafeMutablePointer<AVPacket>
    private var timeLimit: Duration
    /// The time limit once the source is open.
    private let readingLimit: Duration

    /// The longest time to open an address, even if data keeps arriving: enough to read an index at the end
    /// of 64 MiB from a server without range support, at 4.5 Mbit/s.
    static let openingLimit = Duration.seconds(120)
    /// The longest time for a seek. A source without an index is read up to the target: 600 MB at 16 Mbit/s.
    static let seekLimit = Duration.seconds(300)
    /// The longest time to open a file: a sleeping disk spins up within it, and then delivers at full speed.
    static let fileOpeningLimit = Duration.seconds(15)

    /// The allowed containers. Playlists and scripts, which name other files, are excluded.
    static let formats =
        "aac,ac3,aiff,amr,ape,asf,au,avi,caf,dsf,dts,eac3,flac,flv,h264,hevc,iff,ivf,m4v,matroska,webm,mov,mp4,"
        + "m4a,mp3,mpc,mpc8,mpeg,mpegts,mpegvideo,mxf,nut,obu,ogg,rm,tak,truehd,tta,voc,w64,wav,wv"

    /// The largest allocation that FFmpeg may make: a file's packet table, at 24 bytes per packet, for 70
    /// hours of AAC. A table of some twenty bytes may claim two thousand million packets.
    static let pieceByteLimit = 256 << 20
    /// Stops FFmpeg from logging to standard error; evaluated once, at the first use of FFmpeg.
    static let silenced: Void = {
        av_log_set_level(AV_LOG_QUIET)
        av_max_alloc(pieceByteLimit)
    }()

    /// Parameters for fetching an address.
    struct Fetching {
        var request: WebRequest
        var timeLimit: Duration
        /// The time limit during opening; shorter, because nothing plays yet.
        var openingLimit: Duration
        var readAhead: Int
        var engine: WebEngine
        /// Makes the source for an address that is not on the web.
        var makeSource: ByteSourceMaking?
    }

    /// Opens the container; blocks on the disk or the network.
    ///
    /// - Parameters:
    ///   - start: The position, in seconds, at which an HLS playlist begins.
    ///   - transfer: Receives the sources of an address; `nil` for a new transfer.
    init(
        _ name: SourceName, _ fetching: Fetching, interrupt: MediaInterrupt, start: Double = 0,
        transfer: MediaTransfer? = nil
    ) throws(MediaError) {
        Self.silenced
        try name.check()
        let timeLimit = fetching.openingLimit
        interrupt.begin(silence: timeLimit, total: name.isRemote ? Self.openingLimit : Self.fileOpeningLimit)
        guard let packet = av_packet_alloc() else { throw Self.outOfMemory(name) }
        let web =
            name.isRemote
            ? WebInputs(
                request: fetching.request, interrupt: interrupt, timeLimit: timeLimit,
                readAhead: fetching.readAhead, engine: fetching.engine, makeSource: fetching.makeSource,
                start: start, transfer: transfer)
            : nil
        do {
            if let web {
                (context, isPlaylist) = try RemoteOpening(name: name, web: web, interrupt: interrupt).open()
            } else {
                (context, isPlaylist) = (try Self.openFile(name, interrupt), false)
            }
        } catch {
            var packet: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&packet)
            throw error
        }
        self.web = web
        self.packet = packet
        self.interrupt = interrupt
        self.name = name
        self.timeLimit = timeLimit
        readingLimit = fetching.timeLimit
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
        web?.forget()
    }

    /// Returns a context that polls the interrupt while it blocks; the caller frees the context.
    static func makeContext(
        _ name: SourceName, _ interrupt: MediaInterrupt
    ) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
        guard let context = avformat_alloc_context() else { throw outOfMemory(name) }
        context.pointee.interrupt_callback = AVIOInterruptCB(
            callback: { address in
                guard let address else { return 0 }
                return Unmanaged<MediaInterrupt>.fromOpaque(address).takeUnretainedValue().shouldStop ? 1 : 0
            }, opaque: Unmanaged.passUnretained(interrupt).toOpaque())
        return context
    }

    private static func openFile(
        _ name: SourceName, _ interrupt: MediaInterrupt
    ) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
        var context: UnsafeMutablePointer<AVFormatContext>? = try makeContext(name, interrupt)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "format_whitelist", formats, 0)
        av_dict_set(&options, "protocol_whitelist", "file", 0)
        // See ``MP4EditList``.
        av_dict_set(&options, "advanced_editlist", "0", 0)
        interrupt.beginCall(context)
        var code = avformat_open_input(&context, name.location, nil, &options)
        if code >= 0, let context { code = readStreamInfo(context) }
        // FFmpeg frees the context if it cannot open the file.
        interrupt.endCall(isThere: context != nil)
        guard code >= 0, let opened = context else {
            avformat_close_input(&context)
            throw failure(code, name, interrupt, nil)
        }
        return opened
    }

    /// Probes the streams for parameters that the header leaves open; returns FFmpeg's code.
    ///
    /// For PCM the header leaves open only whether the samples hide DTS, which a few frames show. Without a
    /// smaller probe size FFmpeg 7 reads five seconds of PCM (*observed*).
    static func readStreamInfo(_ context: UnsafeMutablePointer<AVFormatContext>) -> Int32 {
        let pcm = AV_CODEC_ID_FIRST_AUDIO.rawValue..<AV_CODEC_ID_ADPCM_IMA_QT.rawValue
        let isPCM = (0..<Int(context.pointee.nb_streams)).allSatisfy { index in
            guard let parameters = context.pointee.streams[index]?.pointee.codecpar else { return false }
            return pcm.contains(parameters.pointee.codec_id.rawValue)
        }
        if isPCM, context.pointee.nb_streams > 0 { context.pointee.probesize = 64 << 10 }
        let sizes = (0..<Int(context.pointee.nb_streams)).map { pictureSize(context, $0) }
        var options = probingOptions(context, sizes)
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        let code =
            options.isEmpty
            ? avformat_find_stream_info(context, nil) : avformat_find_stream_info(context, &options)
        // FFmpeg forgets a size of which its decoder may not make pictures.
        for (index, size) in sizes.enumerated() {
            guard let size, let now = context.pointee.streams[index]?.pointee.codecpar, now.pointee.width <= 0
            else { continue }
            (now.pointee.width, now.pointee.height) = size
        }
        return code
    }

    /// The most pixels of the streams of pictures that are decoded to find their parameters; others keep those of the header. A
    /// film has one, other angles and programmes are of up to 4K; decoders of hundreds would take gigabytes.
    private static let probedPixels =
        [VideoStreamParameters.pixelLimit] + [Int](repeating: 9 << 20, count: 7)
    /// The same for the variants of an HLS playlist, which are the same pictures in several sizes.
    private static let probedVariantPixels =
        [VideoStreamParameters.pixelLimit] + [Int](repeating: 9 << 20, count: 15)
    /// The most pixels of a picture of a codec whose decoder takes seconds for large ones.
    private static let slowPixelLimit = 4 << 20

    /// The size that the header gives for a film's stream of pictures; `nil` for other streams and for covers.
    private static func pictureSize(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ index: Int
    ) -> (Int32, Int32)? {
        guard let stream = context.pointee.streams[index]?.pointee, let parameters = stream.codecpar?.pointee,
            parameters.codec_type == AVMEDIA_TYPE_VIDEO, stream.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        else { return nil }
        return (max(0, parameters.width), max(0, parameters.height))
    }

    /// Options of FFmpeg's decoders while it probes, one set for each stream. The sound must not wait for pictures, so those
    /// that are too large or too slow are not decoded.
    private static func probingOptions(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ sizes: [(Int32, Int32)?]
    ) -> [OpaquePointer?] {
        let isPlaylist = context.pointee.iformat.map { String(cString: $0.pointee.name) } == "hls"
        var limits = (isPlaylist ? probedVariantPixels : probedPixels)[...]
        return sizes.enumerated().map { index, size in
            guard let size, let parameters = context.pointee.streams[index]?.pointee.codecpar else {
                return nil
            }
            let (pixels, limit) = (Int64(size.0) * Int64(size.1), Int64(limits.popFirst() ?? 1))
            let isSlow = parameters.pointee.codec_id == AV_CODEC_ID_JPEG2000 && pixels > Int64(slowPixelLimit)
            var options: OpaquePointer?
            av_dict_set_int(&options, "max_pixels", isSlow || pixels > limit ? 1 : limit, 0)
            return options
        }
    }

    func stream(_ index: Int32) -> UnsafeMutablePointer<AVStream>? {
        guard index >= 0, index < Int32(clamping: context.pointee.nb_streams) else { return nil }
        return context.pointee.streams[Int(index)]
    }

    var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int32(clamping: context.pointee.nb_streams)).compactMap(stream)
    }

    /// Starts an operation, a read or a seek, with fresh byte and time limits.
    func begin(isSeek: Bool = false) {
        interrupt.begin(silence: timeLimit, total: isSeek ? Self.seekLimit : nil, goesOn: !isSeek)
        web?.clearFailures()
    }

    /// The context whose reads are counted through FFmpeg; `nil` for web inputs, which count their own bytes.
    private var countedContext: UnsafeMutablePointer<AVFormatContext>? { web == nil ? context : nil }

    /// Reads the next packet of a stream into ``packet``.
    ///
    /// - Parameter other: Gets each packet of another stream that FFmpeg does not discard.
    /// - Returns: 0, or FFmpeg's code: `AVERROR_EOF` at the end.
    func readPacket(of stream: Int32, other: (UnsafeMutablePointer<AVPacket>) -> Void = { _ in }) -> Int32 {
        interrupt.restart(limit: timeLimit)
        while true {
            av_packet_unref(packet)
            interrupt.beginCall(countedContext)
            let code = av_read_frame(context, packet)
            interrupt.endCall()
            // When interrupted, a parser returns all its pending data as one packet.
            if interrupt.limit != .none { return shim_AVERROR_EXIT }
            if code < 0 { return interrupt.shouldStop ? shim_AVERROR_EXIT : code }
            if packet.pointee.stream_index == stream, packet.pointee.size > 0 {
                interrupt.soundCame()
                return code
            }
            interrupt.noteEmptyPacket()
            if packet.pointee.stream_index == stream { return code }
            other(packet)
            if interrupt.shouldStop { return shim_AVERROR_EXIT }
        }
    }

    /// Seeks to a packet at or before a time in the stream's own unit.
    func seek(stream: Int32, to time: Int64) -> Int32 {
        interrupt.beginCall(countedContext)
        defer { interrupt.endCall() }
        return av_seek_frame(context, stream, time, AVSEEK_FLAG_BACKWARD)
    }

    /// Whether the container is a stream of MPEG packets, which has no index.
    var isMPEGStream: Bool {
        guard let name = context.pointee.iformat?.pointee.name else { return false }
        return ["mpegts", "mpeg"].contains(String(cString: name))
    }

    /// Whether the container is MP4 or QuickTime.
    var isMovie: Bool {
        guard let name = context.pointee.iformat?.pointee.name else { return false }
        return String(cString: name).hasPrefix("mov,")
    }

    /// Seeks to the beginning of a container that can be read from any byte on.
    func seekToFirstByte() -> Int32 {
        interrupt.beginCall(countedContext)
        defer { interrupt.endCall() }
        return av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE)
    }

    /// Releases the memory that only opening needed, and applies the longer time limit.
    func hasOpened() {
        web?.main?.source.keep(WebLimits().keptBytes)
        timeLimit = readingLimit
        web?.setTimeLimit(readingLimit)
    }

    /// The cause of a failed read; `nil` at the end of the contents or if the contents are at fault.
    var webFailure: WebError? { web?.error }

    /// Whether the source can seek.
    var isSeekable: Bool {
        if isPlaylist { return context.pointee.duration > 0 }
        guard let input = context.pointee.pb else { return false }
        return input.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
    }

    /// Whether the stream is endless.
    var isLive: Bool {
        isPlaylist ? context.pointee.duration <= 0 : web?.main?.source.resource.isLive ?? false
    }

    /// Returns bytes from an offset on, fewer at the end; for an address only during opening.
    func bytes(_ count: Int, at offset: Int = 0) -> [UInt8] {
        guard let web else { return name.bytes(count, at: offset) }
        return isPlaylist ? [] : web.bytes(count, at: offset)
    }

    static func outOfMemory(_ name: SourceName) -> MediaError {
        .readFailed(name: name.displayName, code: shim_averror(12), reason: "out of memory")
    }

    static func failure(
        _ code: Int32, _ name: SourceName, _ interrupt: MediaInterrupt, _ error: WebError?
    ) -> MediaError {
        if interrupt.isCancelled { return .cancelled }
        let (title, reason) = (name.displayName, LibraryText.of(code))
        if let error { return MediaError(error, name: title) }
        let isMedia = { looksLikeMedia(name.bytes(4096)) }
        if interrupt.limit == .time, !name.isRemote, isMedia() {
            let seconds = interrupt.totalLimit.components.seconds
            return .noSound(name: title, reason: "no audio was found in it within \(seconds) s")
        }
        if let limited = MediaError(interrupt, name: title) {
            return isMedia() ? limited : .notAudio(name: title)
        }
        switch code {
        case shim_AVERROR_EXIT: return .timedOut(name: title)
        // FFmpeg's readers also give up with "not permitted", "out of memory" and "not yet implemented" on damaged headers.
        case shim_AVERROR_INVALIDDATA, shim_AVERROR_EOF, shim_AVERROR_PATCHWELCOME, shim_averror(1),
            shim_averror(12),
            shim_averror(22), shim_averror(38):
            return isMedia() ? .damaged(name: title) : .notAudio(name: title)
        default: return .readFailed(name: title, code: code, reason: reason)
        }
    }

    /// Returns whether the first bytes of a file clearly match an allowed format.
    static func looksLikeMedia(_ start: [UInt8]) -> Bool {
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
