import CTuttiFFmpeg
import TuttiMediaTime
import TuttiWeb

/// A reader for the packets of one audio stream in a file or behind a web address.
///
/// Positions count frames at the stream's rate; 0 is the first audible frame. Calls block on the disk or the
/// network, up to the time limit each, so they belong on the codec queue. Not thread-safe; ``MediaInterrupt``
/// cancels a call from another thread.
package final class MediaReader {
    /// The most warnings kept; further warnings are dropped.
    package static let warningLimit = 16
    /// The default time limit for one call without data.
    package static let usualTimeLimit = Duration.seconds(15)
    /// The default number of bytes of an address to prefetch.
    package static let usualReadAhead = 8 << 20

    /// The properties of the source, as known after opening.
    package let info: MediaInfo
    /// Defects of the source found so far.
    package private(set) var warnings: [MediaWarning] = []

    /// The transfer of the bytes; `nil` for files.
    package var transfer: MediaTransfer? { source.web?.transfer }

    private var source: FormatSource
    private let fetching: FormatSource.Fetching
    private var titles: TitleTimes
    private let streamIndex: Int32
    private var clock: StreamClock
    private let isADTS: Bool
    private var timeline: PacketTimeline
    /// Whether the packet in ``FormatSource/packet``, read for its time, is still to be returned.
    private var holdsPacket: Bool
    /// The target of the last seek; earlier frames are inaudible.
    private var startFrame: Int64 = .min
    private var furthestFrame: Int64 = 0
    private var isAtEnd = false
    /// Whether all sound that the source promises has been read, so that it has not broken off.
    package private(set) var isComplete = false
    /// The silence that is read instead of missing sound.
    private var silence: SilentStream?

    /// Opens a file or address; blocks until the first packet is read.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file, or an address that begins with `http://` or `https://`.
    ///   - stream: The ``MediaStream/index`` of an audio stream; `nil` for the best one.
    ///   - request: Headers for the server; ignored for a file.
    ///   - interrupt: Cancels the reader from any thread.
    ///   - timeLimit: The longest wait of one call without data, in whole seconds; at most ``usualTimeLimit``
    ///     while an address is being opened.
    ///   - readAhead: Bytes of an address to prefetch, at least 256 KiB; the reader holds up to twice as many
    ///     while it caches two positions.
    ///   - readsArtwork: Whether to read a picture, which may be large.
    /// - Throws: ``MediaError`` if the source cannot be opened or has no playable audio stream.
    package convenience init(
        _ path: String, stream: Int? = nil, request: WebRequest = WebRequest(),
        interrupt: MediaInterrupt = MediaInterrupt(), timeLimit: Duration = MediaReader.usualTimeLimit,
        readAhead: Int = MediaReader.usualReadAhead, readsArtwork: Bool = true
    ) throws(MediaError) {
        try self.init(
            path, stream: stream, request: request, interrupt: interrupt, timeLimit: timeLimit,
            readAhead: readAhead, readsArtwork: readsArtwork, engine: .shared)
    }

    /// Opens a file or address with a given engine.
    ///
    /// - Parameters:
    ///   - searchesFolder: Whether to look for a picture beside a file without one, if `readsArtwork`.
    ///   - acceptsSilence: Whether a file of pictures without sound is read as silence of their length.
    ///   - engine: The engine that transfers the bytes of an address.
    ///   - makeSource: Makes the byte source if the path is the program's own address; `nil` if the path is a
    ///     file or web address.
    package init(
        _ path: String, stream: Int? = nil, request: WebRequest = WebRequest(),
        interrupt: MediaInterrupt = MediaInterrupt(), timeLimit: Duration = MediaReader.usualTimeLimit,
        readAhead: Int = MediaReader.usualReadAhead, readsArtwork: Bool = true,
        searchesFolder: Bool = true, acceptsSilence: Bool = false, engine: WebEngine,
        makeSource: ByteSourceMaking? = nil
    ) throws(MediaError) {
        let name = SourceName(path, isProvided: makeSource != nil)
        fetching = FormatSource.Fetching(
            request: request, timeLimit: timeLimit, openingLimit: min(timeLimit, Self.usualTimeLimit),
            readAhead: readAhead, engine: engine, makeSource: makeSource)
        let source = try FormatSource(name, fetching, interrupt: interrupt)
        var sound = try SoundChoice(
            stream, in: source, name: name.displayName, acceptsSilence: acceptsSilence)
        holdsPacket = sound.silence == nil && source.readPacket(of: sound.index) >= 0
        if interrupt.isCancelled { throw .cancelled }
        guard holdsPacket || sound.silence != nil else {
            throw source.webFailure.map { MediaError($0, name: name.displayName) }
                ?? MediaError(interrupt, name: name.displayName) ?? .damaged(name: name.displayName)
        }
        let adts =
            sound.parameters.codec == .aac && sound.parameters.cookie.isEmpty
            ? ADTSHeader(source.packet.payload) : nil
        if let adts { sound.parameters.cookie = adts.audioSpecificConfig }

        let reading = MediaInfoReading(source: source, stream: sound.stream)
        clock = sound.clock(firstPacket: source.packet, reading)
        timeline = clock.timeline
        let artwork =
            readsArtwork
            ? reading.artwork
                ?? (name.isRemote || !searchesFolder ? nil : FolderArtwork(beside: path).find()) : nil
        info = sound.info(clock, reading, path: path, isRemote: name.isRemote, artwork: artwork)
        source.hasOpened()
        titles = TitleTimes(source: source)
        self.source = source
        silence = sound.silence
        streamIndex = sound.index
        isADTS = adts != nil
    }

    /// Returns the next packet in file order; `nil` at the end.
    ///
    /// A source that breaks off in mid-stream ends there with a warning.
    ///
    /// - Throws: ``MediaError/timedOut(name:)`` if no data arrived within the time limit; another
    ///   ``MediaError`` if the connection failed or the call was cancelled.
    package func nextPacket() throws(MediaError) -> EncodedPacket? {
        if silence != nil {
            let packet = silence?.nextPacket()
            furthestFrame = max(furthestFrame, packet?.endTimestamp ?? 0)
            return packet
        }
        source.begin()
        while !isAtEnd {
            if !holdsPacket {
                let code = source.readPacket(of: streamIndex)
                if code < 0 {
                    try end(code)
                    break
                }
            }
            holdsPacket = false
            guard let packet = takePacket() else { continue }
            if !clock.isFarBehindEnd(packet.timestamp) { return packet }
            (isAtEnd, isComplete) = (true, true)
        }
        return nil
    }

    /// Returns the titles of a live stream since the last call, oldest first.
    ///
    /// A title that applies before the first packet gets that packet's frame.
    package func takeTimedTitles() -> [TimedTitle] { titles.take() }

    /// Reads the rest of the source and returns the end of the last audible frame; for files that do not
    /// declare their length.
    package func lastFrame() throws(MediaError) -> Int64 {
        while try nextPacket() != nil {}
        return max(0, furthestFrame)
    }

    /// Seeks so that a fresh or reset decoder is exact from the given frame on.
    ///
    /// The next packets begin earlier, for pre-roll; frames before the target are marked as skipped, so the
    /// decoder's first output begins with the target. After a seek beyond the end no packet is audible.
    ///
    /// - Throws: ``MediaError/notSeekable(name:)`` if the source cannot seek there; the position is unchanged
    ///   unless an attempt has already moved the source.
    package func seek(toFrame frame: Int64) throws(MediaError) {
        let frame = max(0, frame)
        if silence != nil {
            silence?.seek(toFrame: frame)
            return
        }
        let target = max(frame - info.codec.preRollFrameCount, timeline.firstTimestamp)
        let start = min(target, clock.lastSeekableFrame)
        let attempts = [start, start - 4 * Int64(info.sampleRate.hertz), timeline.firstTimestamp]
        for attempt in attempts {
            source.begin(isSeek: true)
            let place = max(attempt, timeline.firstTimestamp)
            let code =
                source.isPlaylist
                ? try reopen(at: place) : source.seek(stream: streamIndex, to: clock.streamTime(of: place))
            if source.interrupt.isCancelled { throw .cancelled }
            if code < 0 { continue }
            // Segments without timestamps all begin at 0.
            let least = Int64((source.web?.firstPiece ?? 0) / 2 * Double(info.sampleRate.hertz))
            (holdsPacket, isAtEnd, isComplete, startFrame) = (false, false, false, frame)
            timeline.forgetPosition()
            if try arrives(by: target, from: least > 0 ? least : .min) { return }
        }
        throw .notSeekable(name: source.name.displayName)
    }

    /// Reopens an HLS playlist at a later segment. FFmpeg cannot seek in a playlist of MP4 segments; a
    /// shortened playlist works for every kind.
    ///
    /// - Returns: 0, or a negative number if the stream no longer exists or has changed.
    private func reopen(at frame: Int64) throws(MediaError) -> Int32 {
        let next = try FormatSource(
            source.name, fetching, interrupt: source.interrupt,
            start: Double(frame) / Double(info.sampleRate.hertz), transfer: transfer)
        guard let stream = next.stream(streamIndex),
            let parameters = AudioStreamParameters(stream.pointee.codecpar.pointee),
            parameters.codec == info.codec, parameters.sampleRate == info.sampleRate
        else { return -1 }
        for other in next.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
        clock.follow(stream)
        source = next
        source.hasOpened()
        return 0
    }

    /// Reads to the first packet that ends after `target`; returns `false` if the next packet begins after
    /// `target`, or before `least`.
    private func arrives(by target: Int64, from least: Int64) throws(MediaError) -> Bool {
        while true {
            let code = source.readPacket(of: streamIndex)
            if code < 0 {
                try end(code)
                return true
            }
            let before = timeline
            let place = self.place()
            if before.position == nil, place.timestamp > target || place.timestamp < least { return false }
            if place.timestamp + place.duration > target {
                timeline = before
                holdsPacket = true
                return true
            }
        }
    }

    private func place() -> (timestamp: Int64, duration: Int64) {
        let duration = clock.duration(of: source.packet)
        // Timestamps of live streams jump with the server's clock, so live packets follow each other
        // directly.
        let hint = info.isLive ? nil : clock.hint(of: source.packet)
        return (timeline.place(hint: hint, duration: duration), duration)
    }

    private func takePacket() -> EncodedPacket? {
        let (timestamp, duration) = place()
        var payload = source.packet.payload
        if isADTS, let header = ADTSHeader(payload) { payload = payload.dropFirst(header.byteCount) }
        if payload.isEmpty { return nil }
        let skip = clock.skip(of: source.packet, timestamp: timestamp, duration: duration)
        let unheard = startFrame == .min ? 0 : min(max(0, startFrame - timestamp), duration)
        furthestFrame = max(furthestFrame, timestamp + duration - skip.end)
        titles.note(packet: source.packet, frame: timestamp)
        noteWarnings()
        return EncodedPacket(
            payload: Array(payload), timestamp: timestamp, duration: Int(duration),
            skipAtStart: Int(max(skip.start, unheard)), skipAtEnd: Int(skip.end))
    }

    /// Decides whether FFmpeg's code means the end, a warning or an error.
    private func end(_ code: Int32) throws(MediaError) {
        if source.interrupt.isCancelled { throw .cancelled }
        let name = source.name.displayName
        if code == shim_AVERROR_EXIT, source.interrupt.limit == .none {
            if let failure = source.webFailure { throw MediaError(failure, name: name) }
            throw .timedOut(name: name)
        }
        isAtEnd = true
        noteWarnings()
        if let failure = source.webFailure {
            // A segment of the playlist is missing; everything before it has played.
            guard source.isPlaylist else { throw MediaError(failure, name: name) }
            warn(.stopped(frame: furthestFrame, reason: "\(failure)"))
        } else if let limited = MediaError(source.interrupt, name: name) {
            // The sound so far counts; the rest of the source has none.
            warn(.stopped(frame: furthestFrame, reason: "\(limited)"))
        } else if code != shim_AVERROR_EOF {
            warn(.stopped(frame: furthestFrame, reason: LibraryText.of(code)))
        } else if let expected = clock.promisedFrameCount,
            furthestFrame + StreamClock.lengthTolerance < expected, !source.isPlaylist,
            startFrame < expected
        {
            warn(.endsEarly(frame: furthestFrame, expected: expected))
        } else {
            isComplete = true
        }
    }

    /// Collects the transport's warnings.
    private func noteWarnings() {
        for warning in source.web?.main?.source.takeWarnings() ?? [] {
            switch warning {
            case .shorter(let count, let promised):
                warn(.shorterThanPromised(byteCount: count, promised: promised))
            case .interrupted: warn(.interrupted(frame: furthestFrame))
            }
        }
    }

    private func warn(_ warning: MediaWarning) {
        if warnings.count < Self.warningLimit, !warnings.contains(warning) { warnings.append(warning) }
    }
}

/// The audio stream that a reader reads, or the silence in its place.
private struct SoundChoice {
    let index: Int32
    let stream: UnsafeMutablePointer<AVStream>
    let silence: SilentStream?
    var parameters: AudioStreamParameters

    /// Chooses a stream, and discards all others.
    init(
        _ wanted: Int?, in source: FormatSource, name: String, acceptsSilence: Bool
    ) throws(MediaError) {
        index = av_find_best_stream(
            source.context, AVMEDIA_TYPE_AUDIO, Int32(clamping: wanted ?? -1), -1, nil, 0)
        let sound = source.stream(index)
        silence = sound == nil && wanted == nil && acceptsSilence ? SilentStream(source) : nil
        guard let stream = sound ?? silence?.stream,
            let parameters = silence != nil
                ? SilentStream.parameters : AudioStreamParameters(stream.pointee.codecpar.pointee)
        else { throw .notAudio(name: name) }
        if parameters.codecID == AV_CODEC_ID_NONE.rawValue { throw .damaged(name: name) }
        if silence == nil, avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) == nil {
            throw .noDecoder(name: name, codec: parameters.codec.description)
        }
        for other in source.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
        (self.stream, self.parameters) = (stream, parameters)
    }

    func clock(firstPacket: UnsafeMutablePointer<AVPacket>, _ reading: MediaInfoReading) -> StreamClock {
        if let silence { return StreamClock(silence, rate: parameters.sampleRate) }
        return StreamClock(
            stream: stream, rate: parameters.sampleRate, firstPacket: firstPacket, reading: reading)
    }

    func info(
        _ clock: StreamClock, _ reading: MediaInfoReading, path: String, isRemote: Bool, artwork: Artwork?
    ) -> MediaInfo {
        let movieEnd = reading.movieEnd(AVRational(num: 1, den: Int32(parameters.sampleRate.hertz)))
            .map { $0 - clock.origin }
        return MediaInfo(
            path: path, container: reading.container, stream: parameters, frameCount: clock.frameCount,
            isFrameCountExact: clock.isFrameCountExact
                && (!isRemote || reading.container != "mp3" || clock.encoderPadding != nil),
            isFrameCountGuessed: clock.frameCount != nil && clock.promisedFrameCount == nil,
            zeroTime: clock.origin, isSilent: silence != nil,
            pictureEnd: silence == nil ? reading.film.flatMap(clock.pictureEnd) : clock.frameCount,
            movieEnd: movieEnd, encoderDelay: clock.encoderDelay, encoderPadding: clock.encoderPadding,
            tags: reading.tags, loudness: reading.loudness, metadata: reading.metadata, artwork: artwork,
            streams: reading.streams, streamIndex: Int(index), bitRate: reading.bitRate,
            isSeekable: reading.source.isSeekable, isLive: reading.source.isLive,
            chapters: reading.chapters)
    }
}

extension UnsafeMutablePointer<AVPacket> {
    /// The bytes, valid until the next read into this packet.
    var payload: Slice<UnsafeBufferPointer<UInt8>> {
        let bytes = UnsafeBufferPointer(start: pointee.data, count: Int(Swift.max(0, pointee.size)))
        return bytes[bytes.startIndex..<bytes.endIndex]
    }
}
