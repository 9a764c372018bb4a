internal import CFFmpeg
import MediaTime
package import Web

/// Opens a file or web address and gives the packets of one audio stream.
///
/// Time is counted in frames of the stream's rate, 0 is the first frame that is heard. Reading may
/// wait for a disk or a network, up to the time limit per call, so it belongs on the codec queue; not
/// for two threads at a time. ``MediaInterrupt`` ends the waiting from outside.
public final class MediaReader {
    /// Beyond this many there are no more, only the same again.
    public static let warningLimit = 16
    /// So long one call waits without anything coming unless one says otherwise.
    public static let usualTimeLimit = Duration.seconds(15)
    /// Bytes of an address that are fetched ahead unless one says otherwise.
    public static let usualReadAhead = 8 << 20

    public let info: MediaInfo
    /// What was wrong with the source so far.
    public private(set) var warnings: [MediaWarning] = []

    /// How the bytes come; `nil` for files.
    public var transfer: MediaTransfer? { source.web?.transfer }

    private var source: FormatSource
    private let fetching: FormatSource.Fetching
    private var titles: TitleTimes
    private let streamIndex: Int32
    private var clock: StreamClock
    private let isADTS: Bool
    private var timeline: PacketTimeline
    /// The packet in ``FormatSource/packet`` was read for its time and is still to be given.
    private var holdsPacket: Bool
    /// Of the last seek: what lies before is not heard.
    private var startFrame: Int64 = .min
    private var furthestFrame: Int64 = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - path: A path of a regular file, or an address that begins with `http://` or `https://`.
    ///   - stream: ``MediaStream/index`` of an audio stream; `nil` is the best one.
    ///   - timeLimit: Whole seconds that one call may wait without anything coming.
    ///     While an address is opened no more than ``usualTimeLimit``.
    ///   - readAhead: Bytes of an address that are fetched before they are read, at least 256 KiB; twice as
    ///     many are held while two places of it are at hand.
    ///   - readsArtwork: Whether a picture is looked for, which may be large.
    public convenience init(
        _ path: String, stream: Int? = nil, request: WebRequest = WebRequest(),
        interrupt: MediaInterrupt = MediaInterrupt(), timeLimit: Duration = MediaReader.usualTimeLimit,
        readAhead: Int = MediaReader.usualReadAhead, readsArtwork: Bool = true
    ) throws(MediaError) {
        try self.init(
            path, stream: stream, request: request, interrupt: interrupt, timeLimit: timeLimit,
            readAhead: readAhead, readsArtwork: readsArtwork, engine: .shared)
    }

    /// - Parameters:
    ///   - engine: What moves the bytes of an address.
    ///   - makeSource: Makes the source of a path that is an address of the program's own; `nil` takes it for a path.
    package init(
        _ path: String, stream: Int? = nil, request: WebRequest = WebRequest(),
        interrupt: MediaInterrupt = MediaInterrupt(), timeLimit: Duration = MediaReader.usualTimeLimit,
        readAhead: Int = MediaReader.usualReadAhead, readsArtwork: Bool = true, engine: WebEngine,
        makeSource: ByteSourceMaking? = nil
    ) throws(MediaError) {
        let name = SourceName(path, isProvided: makeSource != nil)
        fetching = FormatSource.Fetching(
            request: request, timeLimit: timeLimit, openingLimit: min(timeLimit, Self.usualTimeLimit),
            readAhead: readAhead, engine: engine, makeSource: makeSource)
        let source = try FormatSource(name, fetching, interrupt: interrupt)
        let index = av_find_best_stream(
            source.context, AVMEDIA_TYPE_AUDIO, Int32(clamping: stream ?? -1), -1, nil, 0)
        guard let stream = source.stream(index),
            var parameters = AudioStreamParameters(stream.pointee.codecpar.pointee)
        else { throw .notAudio(name: name.displayName) }
        if avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) == nil {
            throw .noDecoder(name: name.displayName, codec: parameters.codec.description)
        }
        for other in source.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }

        holdsPacket = source.readPacket(of: index) >= 0
        if interrupt.isCancelled { throw .cancelled }
        guard holdsPacket else {
            throw source.webFailure.map { MediaError($0, name: name.displayName) }
                ?? MediaError(interrupt, name: name.displayName) ?? .damaged(name: name.displayName)
        }
        let adts =
            parameters.codec == .aac && parameters.cookie.isEmpty ? ADTSHeader(source.packet.payload) : nil
        if let adts { parameters.cookie = adts.audioSpecificConfig }

        let reading = MediaInfoReading(source: source, stream: stream)
        clock = StreamClock(
            stream: stream, rate: parameters.sampleRate, firstPacket: source.packet, reading: reading)
        timeline = clock.timeline
        info = MediaInfo(
            path: path, container: reading.container, stream: parameters, frameCount: clock.frameCount,
            isFrameCountExact: clock.isFrameCountExact
                && (!name.isRemote || reading.container != "mp3" || clock.encoderPadding != nil),
            isFrameCountGuessed: clock.frameCount != nil && clock.promisedFrameCount == nil,
            encoderDelay: clock.encoderDelay,
            encoderPadding: clock.encoderPadding, tags: reading.tags,
            metadata: reading.metadata,
            artwork: readsArtwork
                ? reading.artwork ?? (name.isRemote ? nil : FolderArtwork(beside: path).find()) : nil,
            streams: reading.streams,
            streamIndex: Int(index), bitRate: reading.bitRate, isSeekable: source.isSeekable,
            isLive: source.isLive, chapters: reading.chapters)
        source.hasOpened()
        titles = TitleTimes(source: source)
        self.source = source
        streamIndex = index
        isADTS = adts != nil
    }

    /// The next packet in the order of the file; `nil` at the end.
    ///
    /// A source that breaks off after something was read ends there, with a warning.
    public func nextPacket() throws(MediaError) -> EncodedPacket? {
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
            isAtEnd = true
        }
        return nil
    }

    /// What a live stream says that it plays, of the packets since the last call; oldest first.
    ///
    /// A title that is already heard at the first packet comes with that packet's frame.
    public func takeTimedTitles() -> [TimedTitle] { titles.take() }

    /// Reads all that is left, and tells after which frame the last sound is heard; for files that do not say
    /// how long they are.
    public func lastFrame() throws(MediaError) -> Int64 {
        while try nextPacket() != nil {}
        return max(0, furthestFrame)
    }

    /// The next packets begin far enough before a frame that a fresh or reset decoder is exact from it on.
    ///
    /// What lies before the frame is marked to be skipped, so a decoder's first output begins with it.
    /// A frame beyond the end gives no more packets that are heard.
    ///
    /// - Throws: ``MediaError/notSeekable(name:)`` when the source cannot go back to it; the place is then unchanged.
    public func seek(toFrame frame: Int64) throws(MediaError) {
        let frame = max(0, frame)
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
            // Pieces without times of their own all begin at 0.
            let least = Int64((source.web?.firstPiece ?? 0) / 2 * Double(info.sampleRate.hertz))
            (holdsPacket, isAtEnd, startFrame) = (false, false, frame)
            timeline.forgetPosition()
            if try arrives(by: target, from: least > 0 ? least : .min) { return }
        }
        throw .notSeekable(name: source.name.displayName)
    }

    /// The library cannot go to another piece of a playlist whose pieces are MP4; a list that begins with that piece is
    /// the same for all kinds.
    ///
    /// - Returns: 0, or less than that where the stream is no longer there.
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

    /// Reads on to the first packet that ends after `target`; false when the next packet begins beyond it, or before
    /// all that was looked for.
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
        // The clocks of live streams jump when their server does; what comes is heard on end.
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

    /// Decides whether a code that ended the reading is an end, a warning or an error.
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
            // Of a playlist a piece is missing; the rest was heard.
            guard source.isPlaylist else { throw MediaError(failure, name: name) }
            warn(.stopped(frame: furthestFrame, reason: "\(failure)"))
        } else if let limited = MediaError(source.interrupt, name: name) {
            // The sound heard so far counts; the rest of the source has none.
            warn(.stopped(frame: furthestFrame, reason: "\(limited)"))
        } else if code != shim_AVERROR_EOF {
            warn(.stopped(frame: furthestFrame, reason: LibraryText.of(code)))
        } else if let expected = clock.promisedFrameCount,
            furthestFrame + StreamClock.lengthTolerance < expected, !source.isPlaylist,
            startFrame < expected
        {
            warn(.endsEarly(frame: furthestFrame, expected: expected))
        }
    }

    /// What the transport has to say.
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

extension UnsafeMutablePointer<AVPacket> {
    /// The bytes, valid until the packet is read anew.
    var payload: Slice<UnsafeBufferPointer<UInt8>> {
        let bytes = UnsafeBufferPointer(start: pointee.data, count: Int(Swift.max(0, pointee.size)))
        return bytes[bytes.startIndex..<bytes.endIndex]
    }
}
