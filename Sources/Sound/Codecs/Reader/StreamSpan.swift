import CTuttiFFmpeg
import TuttiMediaTime

/// The place of a stream in the container's time, in frames. A value.
struct StreamSpan: Hashable {
    var start: Int64
    var length: Int64
    var end: Int64 { start + length }

    /// Movies round their length to their own unit, of 1/600 s or less: a shortfall of 1/500 s is no cut.
    static func tolerance(rate: Int) -> Int64 { Int64(rate / 500) }

    /// Returns the part that a movie with edit lists presents: from time 0 on, up to the movie's end.
    ///
    /// - Parameters:
    ///   - movieEnd: The end of the movie; `nil` if it is unknown.
    ///   - tolerance: See ``tolerance(rate:)``.
    /// - Returns: The whole span if nothing of it would be left.
    func presented(movieEnd: Int64?, tolerance: Int64) -> StreamSpan {
        let first = max(0, start)
        var last = end
        // Without an edit list, reordering delays all pictures, and the movie's length does not count the delay.
        if let movieEnd, min(0, start) + length > movieEnd + tolerance { last = min(end, movieEnd) }
        return last > first ? StreamSpan(start: first, length: last - first) : self
    }
}

extension MediaInfo {
    /// Returns the frame at which edit lists end a stream of an MP4 or QuickTime file before its last samples; `nil` if
    /// they do not.
    package func presentedEnd(of stream: MediaStream) -> Int64? {
        let frameUnit = AVRational(num: 1, den: Int32(sampleRate.hertz))
        guard let movieEnd, let length = stream.length.flatMap({ StreamClock.frames($0, frameUnit) }) else {
            return nil
        }
        let start = stream.start.flatMap { StreamClock.frames($0, frameUnit) } ?? 0
        let span = StreamSpan(start: start, length: length)
        let shown = span.presented(
            movieEnd: movieEnd + zeroTime, tolerance: StreamSpan.tolerance(rate: sampleRate.hertz))
        return shown.end < span.end ? shown.end - zeroTime : nil
    }
}
