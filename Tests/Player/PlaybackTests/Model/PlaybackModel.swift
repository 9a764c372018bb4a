import CoreMedia

/// The rules of the playback API for one renderer on a local output, in seconds and without threads.
struct PlaybackModel {
    /// Levels at which readiness ends and returns, and the distance a flush from a time keeps from the playhead.
    static let (high, low, margin, sufficient) = (4.0, 3.0, 0.25, 0.5)

    private(set) var rate = 0.0
    private(set) var flushes: [Double] = []
    var now = 0.0
    var delays = true

    private var anchor = (time: 0.0, now: 0.0)
    private var isRunning = false
    private var playedRate = 0.0
    /// Start and end of the queued audio.
    private var data: (start: Double, end: Double)?
    private var isFull = false
    /// Between two speeds time continues, and audio resumes at this time.
    private var joinTime = -Double.infinity
    /// The time until which that holds.
    static let joinLead = 0.2

    var time: Double { anchor.time + (isRunning ? (now - anchor.now) * rate : 0) }
    var end: Double? { data?.end }

    /// The first time that is still to be played.
    var playhead: Double { max(time, joinTime) }

    /// Between the two levels readiness depends on which one was crossed last.
    mutating func isReady() -> Bool {
        let ahead = data.map { max(0, $0.end - max(playhead, $0.start)) } ?? 0
        if ahead >= Self.high { isFull = true }
        if ahead <= Self.low { isFull = false }
        return !isFull
    }

    mutating func enqueue(_ start: Double, seconds: Double) {
        data = (data?.start ?? start, max(data?.end ?? start, start + seconds))
        startIfPossible()
    }

    mutating func flush() {
        data = nil
        isFull = false
    }

    mutating func flush(from wanted: Double) -> Bool {
        guard wanted - playhead >= (rate != 0 && isRunning ? Self.margin : 0) else { return false }
        if let known = data { data = wanted > known.start ? (known.start, min(known.end, wanted)) : nil }
        isFull = false
        return true
    }

    mutating func setRate(_ wanted: Double, time position: Double?) {
        if wanted != 0, wanted == rate, position == nil { return }
        let heard = time
        let isOtherSpeed = wanted != 0 && playedRate != 0 && wanted != playedRate
        let waits = delays && !(rate != 0 && isOtherSpeed)
        let goesOn = isOtherSpeed && isRunning && position == nil
        if isOtherSpeed, let data, data.end > heard {
            flushes.append(heard)
            flush()
        }
        joinTime = goesOn ? heard + Self.joinLead * wanted : -.infinity
        if goesOn { return (rate, playedRate, anchor) = (wanted, wanted, (heard, now)) }
        (rate, anchor, isRunning) = (wanted, (position ?? heard, now), false)
        if wanted != 0 {
            playedRate = wanted
            isWaiting = true
            if waits { startIfPossible() } else { start() }
        } else {
            isWaiting = false
        }
    }

    private var isWaiting = false

    /// Whether a start at `position` with data up to `end` depends on how samples fall into packets.
    func isUnclear(at position: Double?, end: Double?) -> Bool {
        guard let end else { return false }
        return (0.3...0.8).contains(end - (position ?? anchor.time))
    }

    private mutating func startIfPossible() {
        guard isWaiting, let data, data.end > anchor.time else { return }
        // Audio before the start position is not counted.
        if data.end - anchor.time >= Self.sufficient { start() }
    }

    private mutating func start() {
        (isRunning, isWaiting, anchor.now) = (true, false, now)
    }
}
