import MediaTime

/// When one followed clock is asked for its delay, and which questions wait for an answer.
///
/// Quick at first, so that the first line is there at once; then about as often as others do it. It
/// never ends: senders take a receiver that stops asking for lost.
struct DelayQuestions {
    /// After the first one.
    static let secondAfter = Duration.milliseconds(30)
    static let fastInterval = Duration.milliseconds(125)
    static let interval = Duration.milliseconds(500)
    /// For a clock that has never answered.
    static let patientInterval = Duration.seconds(1)
    /// Answered questions after which it becomes slower.
    static let fastAnswers = 16
    /// Unanswered ones after which it becomes slower.
    static let fastAttempts = 24
    /// A hint that the clock is there now does not count so soon after a question.
    static let shortestInterval = Duration.milliseconds(15)
    private static let mostOutstanding = 8

    private var outstanding: [(sequence: UInt16, departure: HostTime)] = []
    private var sequence: UInt16 = 0
    private var attempts = 0
    private var answersSinceStart = 0
    private(set) var answerCount = 0
    private var lastAsked: HostTime?
    private(set) var nextTime: HostTime

    init(at now: HostTime) { nextTime = now }

    /// Begins quickly again.
    mutating func restart(at now: HostTime) {
        (attempts, answersSinceStart) = (0, 0)
        hasten(at: now)
    }

    /// Asks now, unless it has just been done.
    mutating func hasten(at now: HostTime) {
        let soonest = lastAsked.map { max(now, $0.advanced(by: Self.shortestInterval)) } ?? now
        nextTime = min(nextTime, soonest)
    }

    mutating func forgetOutstanding() { outstanding.removeAll(keepingCapacity: true) }

    /// `true` when a question is to be sent now.
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

    /// Another program of this machine has sent the question; numbers go on behind it.
    mutating func leftElsewhere(_ sequence: UInt16, at departure: HostTime) {
        self.sequence = sequence
        left(sequence, at: departure)
    }

    /// When the question left that this number answers; each is answered once.
    mutating func answered(_ sequence: UInt16) -> HostTime? {
        guard let index = outstanding.firstIndex(where: { $0.sequence == sequence }) else { return nil }
        answersSinceStart += 1
        answerCount += 1
        return outstanding.remove(at: index).departure
    }
}
