import CoreMedia
import TuttiCodecs

/// A reader of a film's decoded pictures in the order in which they are shown, exact from any time on.
///
/// Calls block on the disk or the network and on the decoder. Not thread-safe; the interrupt cancels a call from another
/// thread.
package final class PictureReader {
    /// A decoded picture with its item time.
    package struct Picture {
        /// The picture.
        package let frame: VideoFrame
        /// Item time from which the picture is shown.
        package let time: CMTime
        /// Item time at which the next picture is shown; by the file's duration or rate for the last one.
        package fileprivate(set) var end: CMTime
    }

    /// The stream's parameters.
    package var parameters: VideoStreamParameters { reader.parameters }
    /// The conversion of the stream's times.
    package let times: PictureTimes
    /// Whether packets were read since the last seek, and none of them was decoded.
    package private(set) var isUndecodable = false

    private let reader: VideoReader
    private let decoder: VideoDecoder
    private let name: String
    /// Decoded pictures that were not returned, in order.
    private var ahead: [Picture] = []
    /// The picture that was returned last.
    private var last: Picture?
    private var isAtEnd = false
    /// Whether the reader stands before the film's first packet.
    private var isFresh = true

    /// Seconds before a target from which a seek begins again if the first picture came after the target; the last one
    /// means the beginning.
    package static let retrySeconds: [Double] = [0, 0.5, 2, 8, 30, 120, .infinity]
    /// Seconds up to which decoding on is faster than a seek.
    private static let forwardSeconds: Double = 2

    /// Opens a film; blocks until its streams are known.
    ///
    /// - Throws: ``MediaError`` if the source cannot be opened, or has no pictures that can be decoded.
    package init(
        _ source: PictureFeed.Source, interrupt: MediaInterrupt = MediaInterrupt()
    ) throws(MediaError) {
        reader = try VideoReader(
            source.path, stream: source.stream, request: source.request, interrupt: interrupt,
            engine: source.engine, makeSource: source.makeSource)
        name = MediaError.name(of: source.path)
        do {
            decoder = try VideoDecoder(reader.parameters)
        } catch {
            throw .undecodable(name: name, reason: "\(error)")
        }
        times = PictureTimes(reader, zero: source.zero)
    }

    // MARK: Reading on

    /// Returns the next picture; `nil` at the end.
    package func next() throws(MediaError) -> Picture? {
        try decode(atLeast: 2)
        guard !ahead.isEmpty else { return nil }
        var picture = ahead.removeFirst()
        if let following = ahead.first, following.time > picture.time { picture.end = following.time }
        last = picture
        return picture
    }

    /// Decodes until some pictures are at hand, or the film ends.
    private func decode(atLeast count: Int) throws(MediaError) {
        while ahead.count < count, !isAtEnd {
            let packet = try reader.nextPacket()
            let start = isFresh ? times.itemTime(of: reader.startTime) : nil
            isFresh = false
            isAtEnd = packet == nil
            if packet != nil, ahead.isEmpty, last == nil { isUndecodable = true }
            for frame in packet.map(decoder.decode) ?? decoder.drain() {
                // A picture without a time follows the one before it; after a seek nothing is known of it.
                guard let time = frame.time.map(times.itemTime) ?? (ahead.last ?? last)?.end ?? start,
                    time.isNumeric
                else { continue }
                isUndecodable = false
                ahead.append(
                    Picture(frame: frame, time: time, end: time + times.duration(of: frame.duration)))
            }
        }
    }

    // MARK: Seeking

    /// Moves so that ``next()`` returns the picture shown at an item time; the film's first one for an earlier time, the
    /// last one for a later time.
    ///
    /// - Throws: ``MediaError/notSeekable(name:)`` if the picture has passed and the source cannot seek.
    package func begin(at time: CMTime) throws(MediaError) {
        try move(to: time, latest: time, mayContinue: true)
        try skip(to: time, earliest: time)
    }

    /// Returns a picture near an item time: the one shown then, or an earlier or later one that is decoded sooner.
    ///
    /// - Parameters:
    ///   - earliest: The earliest time of the picture, unless it is still shown at `time`; may be infinite. For a time
    ///     from 0 on, the picture shown at 0 is the earliest: an edit list may leave out those before it.
    ///   - latest: The latest time of the picture; may be infinite.
    /// - Returns: The film's first picture for an earlier time, the last one for a later time; `nil` without pictures.
    package func picture(
        near time: CMTime, earliest: CMTime, latest: CMTime
    ) throws(MediaError) -> Picture? {
        try move(to: time, latest: latest, mayContinue: earliest.isNumeric)
        if time >= .zero { try skip(to: .zero, earliest: .zero) }
        try skip(to: time, earliest: earliest)
        return try next()
    }

    /// Drops pictures before the one shown at a time, up to the first one at or after `earliest`.
    private func skip(to time: CMTime, earliest: CMTime) throws(MediaError) {
        while true {
            try decode(atLeast: 1)
            guard let first = ahead.first, first.time + times.tolerance < earliest else { return }
            try decode(atLeast: 2)
            guard ahead.count > 1, ahead[1].time - times.tolerance <= time else { return }
            last = ahead.removeFirst()
        }
    }

    /// Places the reader so that the next decoded picture is not later than a time, or is the film's first one.
    private func move(to time: CMTime, latest: CMTime, mayContinue: Bool) throws(MediaError) {
        if mayContinue, let last, isShortlyBefore(time, last.time) {
            // The picture that was returned last may be the one.
            ahead.insert(last, at: 0)
            return
        }
        for seconds in Self.retrySeconds {
            let back = CMTime(seconds: seconds, preferredTimescale: 1000)
            let place = seconds.isFinite ? times.streamTime(of: time + times.tolerance - back) : .min
            let isStart = place <= reader.startTime
            guard try seek(to: max(place, reader.startTime), orReadTo: time) else { return }
            if isStart { return }
            try decode(atLeast: 1)
            if let first = ahead.first, first.time - times.tolerance <= max(time, latest) { return }
        }
    }

    private func isShortlyBefore(_ time: CMTime, _ place: CMTime) -> Bool {
        let distance = (time - ((ahead.last?.time).map { min($0, time) } ?? place)).seconds
        return place - times.tolerance <= time && (isAtEnd || distance < Self.forwardSeconds)
    }

    /// - Returns: `false` if the source cannot seek, and is read on to a later time.
    private func seek(to place: Int64, orReadTo time: CMTime) throws(MediaError) -> Bool {
        if isFresh, place <= reader.startTime { return true }
        do throws(MediaError) {
            try reader.seek(to: place)
        } catch .notSeekable(let name) {
            guard let position = last ?? ahead.first else {
                if isFresh { return false }
                throw .notSeekable(name: name)
            }
            guard position.time - times.tolerance <= time else { throw .notSeekable(name: name) }
            if let last { ahead.insert(last, at: 0) }
            return false
        }
        decoder.reset()
        (ahead, last, isAtEnd, isFresh, isUndecodable) = ([], nil, false, false, false)
        return true
    }
}
