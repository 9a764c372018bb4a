internal import CFFmpeg
internal import Web

/// One opened container of the library and the packet it reads into, freed with this object.
final class FormatSource {
    /// The library asks this, by address, while it waits; it lives as long as the context.
    let interrupt: MediaInterrupt
    let name: SourceName
    let context: UnsafeMutablePointer<AVFormatContext>
    /// What the library reads from when it is not a file.
    let web: WebInputs?
    /// Whether it is a playlist of pieces.
    let isPlaylist: Bool
    let packet: UnsafeMutablePointer<AVPacket>
    private var timeLimit: Duration
    /// While it is read.
    private let readingLimit: Duration

    /// An opening lasts no longer than this, whatever comes: an index at the end of 64 MiB, behind a server that gives no
    /// parts, comes in that time at 4.5 Mbit/s.
    static let openingLimit = Duration.seconds(120)
    /// Going to a place lasts no longer than this. What has no index is read up to the place: 600 MB at 16 Mbit/s.
    static let seekLimit = Duration.seconds(300)
    /// The same of a file: a disk that sleeps wakes up in that time, and then brings all it has at once.
    static let fileOpeningLimit = Duration.seconds(15)

    /// The containers that can hold music. Playlists and scripts, which name other files, are not among them.
    static let formats =
        "aac,ac3,aiff,amr,ape,asf,au,avi,caf,dsf,dts,eac3,flac,iff,matroska,webm,mov,mp4,m4a,mp3,mpc,mpc8,"
        + "mpeg,mpegts,ogg,rm,tak,truehd,tta,voc,w64,wav,wv"

    /// Most bytes that the library may have in one piece: the table of a file's packets, at 24 bytes for each, for 70 hours
    /// of AAC. A table may claim two thousand million packets in some twenty bytes.
    static let pieceByteLimit = 256 << 20
    /// The library writes to the standard error by itself unless told not to; read once, by whoever comes first.
    static let silenced: Void = {
        av_log_set_level(AV_LOG_QUIET)
        av_max_alloc(pieceByteLimit)
    }()

    /// How an address is fetched.
    struct Fetching {
        var request: WebRequest
        var timeLimit: Duration
        /// The same while it is opened; less, as nobody hears anything before.
        var openingLimit: Duration
        var readAhead: Int
        var engine: WebEngine
        /// Makes the source of an address that is not of the web.
        var makeSource: ByteSourceMaking?
    }

    /// - Parameters:
    ///   - start: Seconds at which a playlist of pieces begins.
    ///   - transfer: Where the bytes are told of; a new one if none is given.
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
        web?.transfer.isLive = isLive
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
        web?.forget()
    }

    /// A context that asks the interrupt while it waits; the caller frees it.
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
        // The library frees the context of what it could not open.
        interrupt.endCall(isThere: context != nil)
        guard code >= 0, let opened = context else {
            avformat_close_input(&context)
            throw failure(code, name, interrupt, nil)
        }
        return opened
    }

    /// Looks into the sound for the parameters that the header leaves open; gives the library's code.
    ///
    /// Of PCM the header says all but whether DTS is hidden in it, which a few frames show. FFmpeg 7 reads five seconds of
    /// it otherwise (*observed*).
    static func readStreamInfo(_ context: UnsafeMutablePointer<AVFormatContext>) -> Int32 {
        let pcm = AV_CODEC_ID_FIRST_AUDIO.rawValue..<AV_CODEC_ID_ADPCM_IMA_QT.rawValue
        let isPCM = (0..<Int(context.pointee.nb_streams)).allSatisfy { index in
            guard let parameters = context.pointee.streams[index]?.pointee.codecpar else { return false }
            return pcm.contains(parameters.pointee.codec_id.rawValue)
        }
        if isPCM, context.pointee.nb_streams > 0 { context.pointee.probesize = 64 << 10 }
        return avformat_find_stream_info(context, nil)
    }

    func stream(_ index: Int32) -> UnsafeMutablePointer<AVStream>? {
        guard index >= 0, index < Int32(clamping: context.pointee.nb_streams) else { return nil }
        return context.pointee.streams[Int(index)]
    }

    var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int32(clamping: context.pointee.nb_streams)).compactMap(stream)
    }

    /// Begins to look for the next packet, or for a place: what follows may read so much, and wait so long.
    func begin(isSeek: Bool = false) {
        interrupt.begin(silence: timeLimit, total: isSeek ? Self.seekLimit : nil, goesOn: !isSeek)
        web?.clearFailures()
    }

    /// The context whose bytes the library counts; those of our own inputs are counted where they come.
    private var countedContext: UnsafeMutablePointer<AVFormatContext>? { web == nil ? context : nil }

    /// Reads the next packet of one stream into ``packet``.
    ///
    /// - Returns: 0, or the library's code: `AVERROR_EOF` at the end.
    func readPacket(of stream: Int32) -> Int32 {
        interrupt.restart(limit: timeLimit)
        while true {
            av_packet_unref(packet)
            interrupt.beginCall(countedContext)
            let code = av_read_frame(context, packet)
            interrupt.endCall()
            // A parser that is ended gives all it has kept as one packet.
            if interrupt.limit != .none { return shim_AVERROR_EXIT }
            if code < 0 { return interrupt.shouldStop ? shim_AVERROR_EXIT : code }
            if packet.pointee.stream_index == stream, packet.pointee.size > 0 {
                interrupt.soundCame()
                return code
            }
            interrupt.noteEmptyPacket()
            if packet.pointee.stream_index == stream { return code }
            if interrupt.shouldStop { return shim_AVERROR_EXIT }
        }
    }

    /// Goes to a packet at or before a time in the stream's own units.
    func seek(stream: Int32, to time: Int64) -> Int32 {
        interrupt.beginCall(countedContext)
        defer { interrupt.endCall() }
        return av_seek_frame(context, stream, time, AVSEEK_FLAG_BACKWARD)
    }

    /// Releases what only opening needed, and allows longer waits.
    func hasOpened() {
        web?.main?.source.keep(WebLimits().keptBytes)
        timeLimit = readingLimit
        web?.setTimeLimit(readingLimit)
    }

    /// Why reading failed on the way; `nil` when the contents end or are at fault.
    var webFailure: WebError? { web?.error }

    /// Whether packets can be had from other places.
    var isSeekable: Bool {
        if isPlaylist { return context.pointee.duration > 0 }
        guard let input = context.pointee.pb else { return false }
        return input.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
    }

    /// Whether it goes on for ever.
    var isLive: Bool {
        isPlaylist ? context.pointee.duration <= 0 : web?.main?.source.resource.isLive ?? false
    }

    /// Bytes from an offset on, fewer at the end; of an address only while it is being opened.
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
            return .noSound(name: title, reason: "no sound was found in it in \(seconds) s")
        }
        if let limited = MediaError(interrupt, name: title) {
            return isMedia() ? limited : .notAudio(name: title)
        }
        switch code {
        case shim_AVERROR_EXIT: return .timedOut(name: title)
        case shim_AVERROR_INVALIDDATA, shim_AVERROR_EOF, shim_averror(22), shim_averror(38):
            return isMedia() ? .damaged(name: title) : .notAudio(name: title)
        default: return .readFailed(name: title, code: code, reason: reason)
        }
    }

    /// Whether the first bytes of a file are plainly one of our formats.
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
