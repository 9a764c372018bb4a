import TuttiMediaTime

/// A scheduler of the Delay_Req messages to one followed clock, and the requests that wait for an answer.
///
/// Requests are dense at first, to get a first line at once, and then about as frequent as those of other
/// receivers. Requests never end: senders treat a receiver that stops asking as lost.
struct DelayRequestScheduler {
    /// The pause after the first request.
    static let secondAfter = Duration.milliseconds(30)
    static let fastInterval = Duration.milliseconds(125)
    static let interval = Duration.milliseconds(500)
    /// The interval for a clock that has never answered.
    static let patientInterval = Duration.seconds(1)
    /// The number of answers after which requests become slower.
    static let fastAnswers = 16
    /// The number of requests without an answer after which requests become slower.
    static let fastAttempts = 24
    /// The shortest pause after a request before ``hasten(at:)`` may cause the next.
    static let shortestInterval = Duration.milliseconds(15)
    private static let mostOutstanding = 32

    private var outstanding: [(sequence: UInt16, departure: HostTime)] = []
    private var sequence: UInt16 = 0
    private var attempts = 0
    private var answersSinceStart = 0
    private(set) var answerCount = 0
    private var lastAsked: HostTime?
    private(set) var nextTime: HostTime

    init(at now: HostTime) { nextTime = now }

    /// Restarts the dense phase.
    mutating func restart(at now: HostTime) {
        (attempts, answersSinceStart) = (0, 0)
        hasten(at: now)
    }

    /// Schedules a request now, or ``shortestInterval`` after the last one if that is later.
    mutating func hasten(at now: HostTime) {
        let soonest = lastAsked.map { max(now, $0.advanced(by: Self.shortestInterval)) } ?? now
        nextTime = min(nextTime, soonest)
    }

    mutating func forgetOutstanding() { outstanding.removeAll(keepingCapacity: true) }

    /// Returns `true` when a request is due, and schedules the next.
    mutating func take(at now: HostTime, isInDoubt: Bool) -> Bool {
        guard now >= nextTime else { return false }
        attempts += 1
        lastAsked = now
        let pause =
            if attempts == 1 {
                Self.secondAfter
            } else if isInDoubt || (answersSinceStart < Self.fastAnswers && attempts < Self.fastAttempts) {
                Self.fastInterval
            } else {
                answersSinceStart > 0 ? Self.interval : Self.patientInterval
            }
        nextTime = now.advanced(by: pause)
        return true
    }

    mutating func nextSequence() -> UInt16 {
        sequence &+= 1
        return sequence
    }

    mutating func left(_ sequence: UInt16, at departure: HostTime) {
        if outstanding.count >= Self.mostOutstanding { outstanding.removeFirst() }
        outstanding.append((sequence, departure))
    }

    /// Notes a request that another program of this machine has sent; later sequence numbers follow that number.
    mutating func leftElsewhere(_ sequence: UInt16, at departure: HostTime) {
        self.sequence = sequence
        left(sequence, at: departure)
    }

    /// Returns the departure time of the request with this number; `nil` after its first answer.
    mutating func answered(_ sequence: UInt16) -> HostTime? {
        guard let index = outstanding.firstIndex(where: { $0.sequence == sequence }) else { return nil }
        answersSinceStart += 1
        answerCount += 1
        return outstanding.remove(at: index).departure
    }
}
