import CoreMedia
import TuttiCodecs

/// The decisions of a ``PictureFeed``: when to seek, how far ahead to decode, and what to leave out. A value.
struct PictureFeedState<Image: Sendable> {
    /// The next piece of work.
    enum Step: Equatable {
        case seek(CMTime)
        case decode
        case rest
    }

    /// Seconds of pictures to decode ahead of the playhead, at rate 1: enough for the slowest of a group of pictures.
    static var secondsAhead: Double { 0.3 }
    /// The fewest pictures ahead, whatever their memory: one on the screen, one to come, and one being decoded.
    static var fewest: Int { 3 }
    /// The most pictures ahead: 0.3 s of the fastest screens at double speed. A file may claim a million a second.
    static var most: Int { 160 }
    /// Bytes of pictures; the last picture may exceed the limit.
    static var byteLimit: Int { 96 << 20 }
    /// Shown pictures that are kept, for a program that looks back a little.
    static var keptBehind: Int { 1 }
    /// The longest ``lag``, in seconds at rate 1: more than the few display periods between two users of a film.
    static var longestLag: Double { 0.1 }
    /// Seconds behind the playhead up to which decoding is in time.
    static var slack: Double { 0.1 }
    /// A place that lies further behind the target of a seek under way is sought itself.
    static var seekDistance: Double { 0.5 }

    private(set) var window = PictureWindow<Image>()
    /// Item time that was last asked for.
    private(set) var position = CMTime.zero
    /// Item time by which one user of the pictures asks behind another, as an output behind a window that looks ahead;
    /// without the pictures in between each would seek the other's pictures away.
    private(set) var lag = CMTime.zero
    /// The rate of playback, which decides how many pictures a second need.
    var rate = 1.0
    /// The target of a seek that has not begun.
    private var wanted: CMTime?
    /// The target of the seek under way: earlier pictures only lead to it.
    private(set) var target: CMTime?
    /// The latest picture before ``target``, which is shown if it lasts until there.
    private var candidate: PictureWindow<Image>.Entry?
    /// Whether no picture of the film is earlier than ``candidate``.
    private var candidateIsStart = false
    private var isAtEnd = false
    /// Counts seeks; pictures of an earlier one are stale.
    private(set) var generation = 0
    /// Pictures that were decoded after their time had passed.
    private(set) var lateCount = 0
    /// Item time of the last key picture that went to the decoder; `nil` after a seek.
    private var lastKey: CMTime?

    /// Begins at a time.
    init(at time: CMTime) { (position, wanted) = (time, time) }

    /// The next piece of work.
    var next: Step {
        if let wanted { return .seek(wanted) }
        if isAtEnd { return .rest }
        if target != nil || window.count < Self.fewest { return .decode }
        if window.byteCount >= Self.byteLimit || window.count >= Self.most { return .rest }
        guard let end = window.end else { return .decode }
        return (end - position).seconds < Self.secondsAhead * max(1, abs(rate)) ? .decode : .rest
    }

    /// Notes the playhead, and returns the picture for it; `nil` while it is not decoded.
    mutating func ask(at time: CMTime) -> PictureWindow<Image>.Entry? {
        let newest = max(time, position)
        position = time
        guard wanted == nil, target == nil else { return window.picture(at: time) }
        if (newest - time).seconds <= Self.longestLag * max(1, abs(rate)) { lag = max(lag, newest - time) }
        if let start = window.start, time < start, !window.hasFilmStart { seek(to: time) }
        // The memory is first for what is to come.
        let kept = window.byteCount <= Self.byteLimit / 2 ? newest - lag : time
        window.drop(before: min(kept, time), keeping: Self.keptBehind)
        return window.picture(at: time)
    }

    /// Notes a jump of the playhead; pictures at hand stay if they cover it.
    mutating func jump(to time: CMTime) {
        position = time
        if let place = wanted ?? target {
            // Decoding continues from the target, so that a place soon after it is reached, too.
            if time < place || (time - place).seconds > Self.seekDistance { seek(to: time) }
        } else if !window.covers(time) {
            // Pictures up to the next one to be decoded would be late: a seek leaves them out.
            seek(to: time)
        }
    }

    /// Begins a seek again, even if pictures for its target are at hand.
    mutating func seek(to time: CMTime) {
        (wanted, target, candidate, candidateIsStart) = (time, nil, nil, false)
        (isAtEnd, lastKey) = (false, nil)
        generation += 1
        window.removeAll()
    }

    /// Notes that the reader stands before the target's pictures.
    mutating func didSeek(to time: CMTime) {
        guard wanted == time else { return }
        (wanted, target, candidate, candidateIsStart) = (nil, time, nil, false)
    }

    /// The outcome of a decoded picture.
    enum Outcome: Equatable {
        case taken
        /// The picture is later than the seek's target, and no earlier one came: the reader should begin earlier.
        case missed
    }

    /// Takes a decoded picture.
    ///
    /// - Parameters:
    ///   - tolerance: See ``PictureTimes/tolerance``.
    ///   - mayRetry: Whether the reader can begin earlier.
    ///   - isFilmStart: Whether no picture of the film is earlier.
    ///   - playhead: The playhead now, if it runs, for counting late pictures.
    mutating func take(
        _ entry: PictureWindow<Image>.Entry, tolerance: CMTime, mayRetry: Bool, isFilmStart: Bool,
        playhead: CMTime?
    ) -> Outcome {
        guard let target else {
            if let playhead, entry.end <= playhead { lateCount += 1 }
            window.insert(entry, isFilmStart: isFilmStart)
            return .taken
        }
        if entry.time - tolerance <= target {
            (candidate, candidateIsStart) = (entry, isFilmStart)
            return .taken
        }
        if candidate == nil, mayRetry { return .missed }
        finishSeek()
        window.insert(entry, isFilmStart: isFilmStart)
        return .taken
    }

    /// Whether no picture came yet that may be shown at the seek's target.
    var lacksTarget: Bool { target != nil && candidate == nil }

    /// Notes the end of the film.
    mutating func end() {
        finishSeek()
        isAtEnd = true
        window.isComplete = true
    }

    private mutating func finishSeek() {
        if let candidate { window.insert(candidate, isFilmStart: candidateIsStart) }
        (target, candidate, candidateIsStart) = (nil, nil, false)
    }

    /// Whether a picture ends before the seek's target for sure, so that it matters to pictures that refer to it alone.
    ///
    /// - Parameter duration: The duration of all pictures.
    func endsBeforeTarget(_ time: CMTime, duration: CMTime) -> Bool {
        target.map { (time - $0).seconds < -2 * duration.seconds } ?? false
    }

    /// The pictures to leave out from a packet on.
    struct Decision: Equatable {
        var skipping: VideoDecoder.Skipping
        /// Whether the decoder must start again with the packet: it lacks the pictures before it.
        var isFreshStart = false
    }

    /// Decides what to leave out from a packet on: pictures long before a seek's target, and those of a decoder that is too
    /// slow. After key pictures alone, decoding resumes at a key picture.
    ///
    /// - Parameters:
    ///   - shown: Item time of the packet's picture; `nil` if it is unknown.
    ///   - duration: The duration of all pictures; `nil` if they differ.
    ///   - playhead: The playhead now; `nil` while it rests.
    mutating func decide(
        at shown: CMTime?, isKey: Bool, duration: CMTime?, playhead: CMTime?, now: VideoDecoder.Skipping
    ) -> Decision {
        let key = isKey ? shown.flatMap { $0.isNumeric ? $0 : nil } : nil
        if let key { lastKey = key }
        var wish = VideoDecoder.Skipping.nothing
        if let shown, let duration, endsBeforeTarget(shown, duration: duration) {
            wish = .disposable
        } else if let playhead, target == nil {
            // The next key picture may be many seconds away.
            let isInTime = key.map { (playhead - $0).seconds <= Self.slack } ?? false
            wish = skipping(playhead: playhead, now: now == .allButKeys && isInTime ? .disposable : now)
        }
        guard now == .allButKeys, wish != .allButKeys else { return Decision(skipping: wish) }
        return isKey ? Decision(skipping: wish, isFreshStart: true) : Decision(skipping: now)
    }

    /// Returns the pictures to leave out, from how far decoding lies behind the playhead.
    func skipping(playhead: CMTime, now: VideoDecoder.Skipping) -> VideoDecoder.Skipping {
        guard target == nil, wanted == nil, let end = window.end else { return .nothing }
        // The key picture at which decoding resumes may still be inside the decoder.
        let behind = (playhead - max(end, lastKey ?? end)).seconds
        if behind > 1 { return .allButKeys }
        // A decoder that has left out pictures continues until it is ahead again.
        if behind > Self.slack { return now == .allButKeys ? .allButKeys : .disposable }
        return behind < -Self.slack ? .nothing : now
    }
}
