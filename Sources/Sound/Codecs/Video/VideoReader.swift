import CTuttiFFmpeg
import TuttiWeb

/// A reader for the packets of one stream of pictures in a file or behind a web address.
///
/// Calls block on the disk or the network, up to the time limit each. Not thread-safe; ``MediaInterrupt`` cancels a call
/// from another thread.
package final class VideoReader {
    /// The parameters of the stream.
    package let parameters: VideoStreamParameters
    /// The ``MediaStream/index`` of the stream.
    package let streamIndex: Int
    /// The numerator of the unit of the stream's times: a time is `value * unitNumerator / unitDenominator` seconds.
    package let unitNumerator: Int32
    /// The denominator of the unit.
    package let unitDenominator: Int32
    /// The time at which the first picture is shown, in units; 0 if the file does not say.
    package let startTime: Int64
    /// The length in units; `nil` if the file does not say, and for live streams.
    package let length: Int64?
    /// Whether ``seek(to:)`` can go back.
    package var isSeekable: Bool { source.isSeekable }

    /// The header of the texts' script; empty without texts.
    package var subtitleHeader: String { texts?.decoder.header ?? "" }

    private var source: FormatSource
    private let fetching: FormatSource.Fetching
    private var isAtEnd = false
    /// Packets that may still be dropped before the first one at which decoding can begin, after a seek.
    private var droppableCount = 0
    private var texts: Texts?

    /// The most packets dropped after a seek. Containers without an index seek to any packet, after which some decoders
    /// make up what is missing; a stream without marks is decoded from anywhere.
    private static let droppedLimit = 1024

    /// The stream of texts that is read along with the pictures.
    private struct Texts {
        let index: Int32
        let decoder: SubtitleDecoder
        var cues: [SubtitleCue] = []
    }

    /// The most texts kept until ``takeSubtitles()``.
    private static let cueLimit = 4096

    /// Opens a file or address; blocks until the streams are known.
    ///
    /// - Parameters:
    ///   - stream: The ``MediaStream/index`` of a stream of pictures; `nil` for the best one.
    ///   - engine: The engine that transfers the bytes of an address.
    ///   - makeSource: Makes the byte source of the program's own address; `nil` for files and web addresses.
    /// - Throws: ``MediaError`` if the source cannot be opened, has no pictures, or larger ones than the limits of
    ///   ``VideoStreamParameters``.
    package init(
        _ path: String, stream: Int? = nil, request: WebRequest = WebRequest(),
        interrupt: MediaInterrupt = MediaInterrupt(), timeLimit: Duration = MediaReader.usualTimeLimit,
        readAhead: Int = MediaReader.usualReadAhead, engine: WebEngine, makeSource: ByteSourceMaking? = nil
    ) throws(MediaError) {
        let name = SourceName(path, isProvided: makeSource != nil)
        fetching = FormatSource.Fetching(
            request: request, timeLimit: timeLimit, openingLimit: min(timeLimit, MediaReader.usualTimeLimit),
            readAhead: readAhead, engine: engine, makeSource: makeSource)
        source = try FormatSource(name, fetching, interrupt: interrupt)
        guard let chosen = Self.choose(stream, in: source) else { throw .noPictures(name: name.displayName) }
        guard let parameters = VideoStreamParameters(chosen), chosen.pointee.time_base.num > 0,
            chosen.pointee.time_base.den > 0
        else {
            let size = chosen.pointee.codecpar.pointee
            let reason =
                size.width > 0 && size.height > 0
                ? "its pictures of \(size.width) × \(size.height) pixels are not supported"
                : "the size of its pictures is unknown or not supported"
            throw .undecodable(name: name.displayName, reason: reason)
        }
        if avcodec_find_decoder(chosen.pointee.codecpar.pointee.codec_id) == nil {
            throw .noDecoder(name: name.displayName, codec: parameters.codecName)
        }
        self.parameters = parameters
        streamIndex = Int(chosen.pointee.index)
        (unitNumerator, unitDenominator) = (chosen.pointee.time_base.num, chosen.pointee.time_base.den)
        let (start, duration) = (chosen.pointee.start_time, chosen.pointee.duration)
        startTime = Self.isSensible(start) ? start : 0
        length = duration > 0 && Self.isSensible(duration) ? duration : nil
        discardOthers()
        source.hasOpened()
    }

    private func discardOthers() {
        for stream in source.streams {
            let index = stream.pointee.index
            let isWanted = Int(index) == streamIndex || index == texts?.index
            stream.pointee.discard = isWanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Reads a stream of texts along with the pictures, from here on; `nil` for none.
    ///
    /// - Parameter stream: The ``MediaStream/index`` of a stream with ``MediaStream/isText``.
    /// - Returns: Whether its texts can be read.
    package func selectSubtitles(_ stream: Int?) -> Bool {
        texts = stream.flatMap { self.source.stream(Int32(clamping: $0)) }.flatMap { stream in
            SubtitleDecoder(stream).map { Texts(index: stream.pointee.index, decoder: $0) }
        }
        discardOthers()
        return stream == nil || texts != nil
    }

    /// Returns the texts read since the last call.
    package func takeSubtitles() -> [SubtitleCue] {
        defer { texts?.cues = [] }
        return texts?.cues ?? []
    }

    /// Opens a file or address with the common engine.
    package convenience init(
        _ path: String, stream: Int? = nil, interrupt: MediaInterrupt = MediaInterrupt()
    ) throws(MediaError) {
        try self.init(path, stream: stream, interrupt: interrupt, engine: .shared)
    }

    /// The wished stream of pictures, or else the best; attached covers are not pictures of a film.
    static func choose(_ wished: Int?, in source: FormatSource) -> UnsafeMutablePointer<AVStream>? {
        func isFilm(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
            stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
                && stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        }
        if let wished { return source.stream(Int32(clamping: wished)).flatMap { isFilm($0) ? $0 : nil } }
        let best = av_find_best_stream(source.context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        if let stream = source.stream(best), isFilm(stream) { return stream }
        return source.streams.first(where: isFilm)
    }

    /// Whether a time can be calculated with: centuries are beyond every film.
    private static func isSensible(_ time: Int64) -> Bool { time > -(1 << 56) && time < 1 << 56 }

    /// Returns the next packet in file order; `nil` at the end, also one that came too early.
    ///
    /// - Throws: ``MediaError/timedOut(name:)`` if no data arrived within the time limit; another ``MediaError`` if the
    ///   connection failed or the call was cancelled.
    package func nextPacket() throws(MediaError) -> VideoPacket? {
        source.begin()
        while !isAtEnd {
            let code = source.readPacket(of: Int32(streamIndex)) { self.note($0) }
            if source.interrupt.isCancelled { throw .cancelled }
            if code < 0 {
                if let failure = source.webFailure, !source.isPlaylist {
                    throw MediaError(failure, name: source.name.displayName)
                }
                if code == shim_AVERROR_EXIT, source.interrupt.limit == .none {
                    throw .timedOut(name: source.name.displayName)
                }
                isAtEnd = true
            } else if let packet = VideoPacket(taking: source.packet), packet.byteCount > 0 {
                droppableCount = packet.isKey ? 0 : max(0, droppableCount - 1)
                if droppableCount == 0 { return packet }
            }
        }
        return nil
    }

    /// Takes a packet of another stream: texts are kept.
    private func note(_ packet: UnsafeMutablePointer<AVPacket>) {
        guard let texts, packet.pointee.stream_index == texts.index, texts.cues.count < Self.cueLimit else {
            return
        }
        self.texts?.cues += texts.decoder.decode(packet)
    }

    /// Moves to a packet at which decoding can begin, at or before a time if the container can tell; decoding starts again.
    ///
    /// The first picture may still be a later one: pictures that are shown after a key picture may be stored before it,
    /// and some containers have no index. Compare its time, and seek to an earlier time then.
    ///
    /// - Parameter time: The time in units.
    /// - Throws: ``MediaError/notSeekable(name:)`` if the source cannot seek; ``MediaError/cancelled``.
    package func seek(to time: Int64) throws(MediaError) {
        source.begin(isSeek: true)
        let code = source.isPlaylist ? try reopen(at: time) : place(at: time)
        if source.interrupt.isCancelled { throw .cancelled }
        if code < 0 { throw .notSeekable(name: source.name.displayName) }
        (isAtEnd, droppableCount) = (false, Self.droppedLimit)
        texts?.decoder.reset()
        texts?.cues = []
    }

    /// Moves to the film's first packet; decoding starts again.
    ///
    /// - Throws: The errors of ``seek(to:)``.
    package func rewind() throws(MediaError) { try seek(to: startTime) }

    /// Seeks by FFmpeg, which compares decoding times where the container has no index.
    ///
    /// - Returns: 0, or FFmpeg's code.
    private func place(at time: Int64) -> Int32 {
        let stream = Int32(streamIndex)
        let hasIndex = !source.isMPEGStream
        if time > startTime {
            // FFmpeg loses the packets at which it searches.
            let lost = reorderingTime + Self.lostCount * pictureTime
            // In a film whose head an edit list omits, FFmpeg looks earlier by the length of that head (*observed*, 5.1).
            let head = source.isMovie ? max(0, -startTime) : 0
            return source.seek(
                stream: stream, to: hasIndex ? min(time, .max - head) + head : max(time - lost, startTime))
        }
        if !hasIndex { return source.seekToFirstByte() }
        // The first packet is decoded before its picture is shown.
        let code = source.seek(stream: stream, to: startTime - reorderingTime - pictureTime)
        if code >= 0 || source.interrupt.isCancelled { return code }
        return source.seek(stream: stream, to: startTime)
    }

    /// Pictures that a seek of a container without an index may skip; observed with FFmpeg 5.1.
    private static let lostCount: Int64 = 4

    /// The time by which a picture may be decoded before it is shown, in units.
    private var reorderingTime: Int64 { Int64(parameters.reorderingDepth) * pictureTime }

    /// The duration of a picture in units, rounded up.
    private var pictureTime: Int64 {
        let duration =
            parameters.shortestDuration.map { Double($0.numerator) / Double($0.denominator) } ?? 0.04
        return Int64((min(1, duration) * Double(unitDenominator) / Double(unitNumerator)).rounded(.up))
    }

    /// Reopens an HLS playlist at a later segment, as ``MediaReader`` does.
    private func reopen(at time: Int64) throws(MediaError) -> Int32 {
        let seconds = Double(time) * Double(unitNumerator) / Double(unitDenominator)
        let next = try FormatSource(
            source.name, fetching, interrupt: source.interrupt, start: max(0, seconds),
            transfer: source.web?.transfer)
        guard let stream = Self.choose(streamIndex, in: next), let found = VideoStreamParameters(stream),
            found.codecID == parameters.codecID
        else { return -1 }
        source = next
        discardOthers()
        source.hasOpened()
        return 0
    }
}
