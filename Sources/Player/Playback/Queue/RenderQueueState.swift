import CoreMedia
import TuttiSystemIO

/// The state of a render queue, a value: the transitions say what the queue has to do.
///
/// Three parts have a life of their own: the sound (``Sound``), the requests (``Requests``) and the hold. A flush
/// begins a new generation: the result of an older cut changes nothing.
struct RenderQueueState: Sendable {
    /// The sound's life.
    enum Sound: Sendable {
        /// No buffer was enqueued yet, or none since a failure was flushed away.
        case none
        case rendering
        /// Lasts until a flush. `time` is the presentation time of the buffer that failed, if a buffer did.
        case failed(any Error, time: CMTime?)

        var status: RenderQueue.Status {
            switch self {
            case .none: .unknown
            case .rendering: .rendering
            case .failed: .failed
            }
        }
    }

    /// A block that wants to enqueue, with the queue it runs on.
    struct Request: Sendable {
        let id: Int
        let queue: SerialQueue
        let block: @Sendable () -> Void
    }

    /// The request block's life.
    enum Requests: Sendable {
        case none
        /// Waits until the route has room.
        case waiting(Request)
        /// A call is on its way to the block's queue.
        case scheduled(Request)
        /// The block runs. `next` waits for its return: the same block, one that replaced it, or none after a
        /// stop from inside or outside.
        case running(next: Request?)

        var request: Request? {
            switch self {
            case .none: nil
            case .waiting(let request), .scheduled(let request), .running(let request?): request
            case .running(nil): nil
            }
        }
    }

    private(set) var sound = Sound.none
    private(set) var requests = Requests.none
    private var requestCount = 0
    private var enqueuedCount = 0
    /// ``enqueuedCount`` when the running block was called.
    private var countBeforeRun = 0
    /// Flush generation.
    private(set) var flushes = 0
    /// No data is requested while the notification of an automatic flush is being posted.
    private(set) var isHeld = false
    /// Generation of automatic flushes; only the latest notification ends the hold.
    private var holds = 0
    /// End of data was signalled, and no buffer was enqueued since.
    private(set) var isComplete = false
    /// Range of presentation time that was enqueued since the last flush.
    private(set) var data: (start: CMTime, end: CMTime)?

    private(set) var volume: Float = 1
    var isMuted = false
    var pitch = PitchTreatment.kept

    /// Whether the caller should enqueue more, as far as the queue itself is concerned.
    ///
    /// After a stop during a run, false until the block returns, or a loop on the flag alone would never end.
    var isOpen: Bool {
        if case .failed = sound { return false }
        if case .running(nil) = requests { return false }
        return !isHeld
    }

    /// The factor for the output: 0 while muted.
    var gain: Float { isMuted ? 0 : volume }

    /// - Parameter volume: Clamped to 0 ... 1; NaN counts as 1.
    mutating func setVolume(_ volume: Float) { self.volume = min(1, max(0, volume.isNaN ? 1 : volume)) }

    /// Returns whether the queue holds sound after `time`.
    func hasData(at time: CMTime) -> Bool { data.map { $0.end > time } ?? false }

    // MARK: Sound

    enum Acceptance: Sendable { case refused, accepted, first }

    /// Takes a buffer; refuses it after a failure.
    mutating func enqueue(from start: CMTime, to end: CMTime) -> Acceptance {
        if case .failed = sound { return .refused }
        enqueuedCount += 1
        isComplete = false
        if start.isNumeric, end.isNumeric {
            let data = data ?? (start, end)
            self.data = (CMTimeMinimum(data.start, start), CMTimeMaximum(data.end, end))
        }
        if case .none = sound { return .first }
        return .accepted
    }

    /// Takes note of the first buffer.
    ///
    /// - Returns: Whether the status changed, here and below.
    mutating func beginRendering() -> Bool {
        guard case .none = sound else { return false }
        sound = .rendering
        return true
    }

    /// - Parameter time: Presentation time of the buffer that failed, if a buffer did.
    mutating func fail(_ error: any Error, at time: CMTime?) -> Bool {
        if case .failed = sound { return false }
        sound = .failed(error, time: time)
        return true
    }

    /// Clears a failure.
    mutating func recover() -> Bool {
        guard case .failed = sound else { return false }
        sound = .none
        return true
    }

    /// Begins a new generation without data; ``recover()`` clears a failure.
    mutating func flush() {
        (data, isComplete) = (nil, false)
        flushes += 1
    }

    /// Shortens the data after a cut that was asked for in generation `flushes`.
    mutating func cut(from time: CMTime, askedIn flushes: Int) {
        guard self.flushes == flushes, let data else { return }
        self.data = time > data.start ? (data.start, CMTimeMinimum(data.end, time)) : nil
    }

    // MARK: Requests

    /// Makes `block` the request.
    ///
    /// - Returns: The replaced request, to be released outside the lock.
    mutating func request(on queue: SerialQueue, using block: @escaping @Sendable () -> Void) -> Request? {
        let old = requests.request
        requestCount += 1
        let new = Request(id: requestCount, queue: queue, block: block)
        if case .running = requests { requests = .running(next: new) } else { requests = .waiting(new) }
        return old
    }

    /// Ends the requests.
    ///
    /// - Parameter isComplete: Whether no more data follows.
    /// - Returns: The request that was ended, to be released outside the lock; `nil` if there was none.
    mutating func endRequest(isComplete: Bool) -> Request? {
        let old = requests.request
        if case .running = requests { requests = .running(next: nil) } else { requests = .none }
        if old != nil, isComplete { self.isComplete = true }
        return old
    }

    /// - Returns: The request to call on its queue; `nil` if none waits.
    mutating func schedule() -> Request? {
        guard case .waiting(let request) = requests else { return nil }
        requests = .scheduled(request)
        return request
    }

    /// Begins the call of a scheduled request.
    ///
    /// - Returns: `false` if the request was ended or replaced meanwhile.
    mutating func begin(_ id: Int) -> Bool {
        guard case .scheduled(let request) = requests, request.id == id else { return false }
        requests = .running(next: request)
        countBeforeRun = enqueuedCount
        return true
    }

    /// Ends the call.
    ///
    /// - Returns: Whether the block enqueued anything.
    mutating func returned() -> Bool {
        if case .running(let next) = requests { requests = next.map { .waiting($0) } ?? .none }
        return enqueuedCount != countBeforeRun
    }

    // MARK: Automatic flushes

    /// Holds requests back while an automatic flush is being reported.
    ///
    /// - Returns: The hold, for ``release(_:)``.
    mutating func hold() -> Int {
        (isHeld, holds) = (true, holds + 1)
        return holds
    }

    /// Ends a hold, unless a newer one began.
    mutating func release(_ hold: Int) { if holds == hold { isHeld = false } }

    /// Forgets the data that the output lost.
    ///
    /// - Returns: Whether sound after `time` was lost, which the program must hear of; holds requests then.
    mutating func lose(from time: CMTime) -> Bool {
        let hadData = hasData(at: time)
        (data, isHeld) = (nil, hadData)
        return hadData
    }

    /// Leaves the old output.
    ///
    /// - Parameter isWhole: Whether the queued sound moves along. Otherwise holds requests until the program
    ///   is told.
    /// - Returns: Whether the queue had sound after `time`.
    mutating func leave(at time: CMTime, isWhole: Bool) -> Bool {
        let hadData = hasData(at: time)
        if !isWhole { (data, isHeld) = (nil, true) }
        return hadData
    }

    /// Ends the hold of a move that loses nothing.
    mutating func arrive() { isHeld = false }
}
