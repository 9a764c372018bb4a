import CTuttiFFmpeg
import TuttiWeb

/// An attempt to identify the content of an address and open it.
struct RemoteOpening {
    typealias Context = UnsafeMutablePointer<AVFormatContext>

    let name: SourceName
    let web: WebInputs
    let interrupt: MediaInterrupt

    /// Bytes kept until ``FormatSource/hasOpened()``: FFmpeg and the probes here read the same bytes several
    /// times.
    private static let keptBytes = 4 << 20
    /// Bytes of a playlist that suffice to tell the kinds apart.
    private static let playlistByteCount = 64 << 10

    /// Opens the address.
    ///
    /// - Returns: The context, and whether the content is an HLS playlist.
    func open() throws(MediaError) -> (Context, Bool) {
        let source: any ByteSource
        do throws(WebError) {
            source = try web.openMain(name.location)
        } catch {
            throw MediaError(error, name: name.displayName)
        }
        source.keep(max(Self.keptBytes, WebLimits().keptBytes))
        let start = try firstBytes(of: source)
        if source.waitsForWriter {
            // The time limits begin with the first bytes.
            interrupt.begin(silence: FormatSource.openingLimit, total: FormatSource.openingLimit)
        }
        let isOfTheWeb = SourceName.isOfTheWeb(source.resource.address)
        switch WebContent(start) {
        case .nothing: throw .empty(name: name.displayName)
        case .page: throw .webPage(name: name.displayName)
        case .playlist where source.waitsForWriter, .segments where source.waitsForWriter:
            throw .notAudio(name: "\(name.displayName), a playlist,")
        case .playlist where !isOfTheWeb, .segments where !isOfTheWeb:
            throw .refused(
                name: name.displayName,
                reason:
                    "a playlist from the program is not supported; redirect the request to its web address")
        case .playlist: throw .playlist(name: name.displayName)
        case .segments: return (try openPlaylist(source), true)
        case .media: return (try openMedia(source, start), false)
        }
    }

    /// Reads the beginning and seeks back to it.
    private func firstBytes(of source: any ByteSource) throws(MediaError) -> [UInt8] {
        do throws(WebError) {
            var start = try web.read(source, WebContent.byteCount, at: 0, atLeast: 512)
            if WebContent(start) == .playlist {
                start = try web.read(source, Self.playlistByteCount, at: 0, atLeast: Self.playlistByteCount)
            }
            return start
        } catch {
            throw MediaError(error, name: name.displayName)
        }
    }

    /// Opens a media file. A server without range support delivers it from start to end only; a file whose
    /// index is at its end then needs a second attempt, which reads the bytes twice.
    private func openMedia(_ source: any ByteSource, _ start: [UInt8]) throws(MediaError) -> Context {
        let resource = source.resource
        let isSmall = resource.length.map { $0 <= Int64(WebLimits().skippedBytes) } ?? false
        do throws(MediaError) {
            let context = try attempt(
                source, resource.givesRanges ? .anywhere : isSmall ? .later : .never, start)
            if isSmall { web.main?.setSeekable(true) }
            return context
        } catch {
            guard case .damaged = error, isSmall, !resource.givesRanges else { throw error }
            source.seek(to: 0)
            return try attempt(source, .anywhere, start)
        }
    }

    private func attempt(
        _ source: any ByteSource, _ seeking: WebInput.Seeking, _ start: [UInt8]
    ) throws(MediaError) -> Context {
        try open(source, seeking, format: nil, formats: FormatSource.formats, start: start)
    }

    private func openPlaylist(_ source: any ByteSource) throws(MediaError) -> Context {
        guard let format = av_find_input_format("hls") else {
            throw .noDecoder(name: name.displayName, codec: "HLS")
        }
        return try open(source, .never, format: format, formats: FormatSource.formats + ",hls", start: [])
    }

    private func open(
        _ source: any ByteSource, _ seeking: WebInput.Seeking, format: UnsafePointer<AVInputFormat>?,
        formats: String, start: [UInt8]
    ) throws(MediaError) -> Context {
        var context: Context? = try FormatSource.makeContext(name, interrupt)
        guard let io = web.use(source, seeking: seeking).context else {
            avformat_free_context(context)
            throw FormatSource.outOfMemory(name)
        }
        context?.pointee.pb = io
        if let context { web.attach(to: context) }
        var options = Self.options(formats: formats)
        defer { av_dict_free(&options) }
        interrupt.beginCall(nil)
        defer { interrupt.endCall() }
        var code = avformat_open_input(&context, source.resource.address, format, &options)
        if code >= 0, let context { code = FormatSource.readStreamInfo(context) }
        if code >= 0, let context { return context }
        let cause = web.error
        avformat_close_input(&context)
        if cause == nil, let limited = MediaError(interrupt, name: name.displayName) {
            let isMedia = format != nil || FormatSource.looksLikeMedia(start)
            throw isMedia ? limited : .notAudio(name: name.displayName)
        }
        if cause == nil, code != shim_AVERROR_EXIT, !interrupt.isCancelled {
            let isMedia = format != nil || FormatSource.looksLikeMedia(start)
            throw isMedia ? .damaged(name: name.displayName) : .notAudio(name: name.displayName)
        }
        throw FormatSource.failure(code, name, interrupt, cause)
    }

    private static func options(formats: String) -> OpaquePointer? {
        var options: OpaquePointer?
        av_dict_set(&options, "format_whitelist", formats, 0)
        // FFmpeg must open nothing by itself.
        av_dict_set(&options, "protocol_whitelist", "none", 0)
        // See ``MP4EditList``.
        av_dict_set(&options, "advanced_editlist", "0", 0)
        // Playlists: `WebInputs` opens everything they name, one after the other, whatever the name.
        for name in ["http_persistent", "http_multiple", "extension_picky"] {
            av_dict_set(&options, name, "0", 0)
        }
        av_dict_set(&options, "allowed_extensions", "ALL", 0)
        return options
    }
}
