import TuttiMediaTime

/// A record of a peer's requests, or their absence, and the resulting state.
struct FollowingRecord {
    /// The pause after which a peer that had asked counts as lost (*observed*).
    static let stallLimit = Duration.seconds(5)
    /// The pause between requests that begins a new streak (*observed*).
    static let streakGap = Duration.seconds(3)
    /// The least time after a restart until an unknown peer that does not ask counts as ready.
    static let unknownAfterKick = Duration.milliseconds(650)

    var behaviour: ClockPeerBehaviour { didSet { applyRule(insteadOf: oldValue) } }
    private(set) var state = PeerClockState.waiting
    private(set) var questionCount = 0
    private(set) var restartedAt: HostTime
    private(set) var firstSync: HostTime?
    private(set) var lastQuestion: HostTime?
    private(set) var streakCount = 0
    private(set) var exchangeReadyTime: HostTime?

    init(behaviour: ClockPeerBehaviour, at now: HostTime) {
        self.behaviour = behaviour
        restartedAt = now
    }

    /// Restores a record that another program has kept.
    init(_ record: ClockPeerRecord) {
        behaviour = record.behaviour
        state = record.state
        questionCount = Int(record.questionCount)
        restartedAt = record.restartedAt
        firstSync = record.firstSync
        lastQuestion = record.lastQuestion
        streakCount = Int(record.streakCount)
        exchangeReadyTime = record.exchangeReadyTime
    }

    /// The host time from which the peer can be relied on; `nil` where that is not yet known.
    var readyTime: HostTime? {
        if state == .stalled { return nil }
        switch behaviour {
        case .neverAsks(let readyAfter): return restartedAt.advanced(by: readyAfter)
        case .asks: return exchangeReadyTime
        case .unknown:
            if questionCount > 0 { return exchangeReadyTime }
            guard let firstSync else { return nil }
            return max(
                firstSync.advanced(by: ClockPeerBehaviour.unknownReadyAfter),
                restartedAt.advanced(by: Self.unknownAfterKick))
        }
    }

    /// The host time of the next evaluation; `nil` when only a request can change the state.
    var deadline: HostTime? {
        switch state {
        case .waiting:
            guard let readyTime, let stallTime else { return readyTime ?? stallTime }
            return min(readyTime, stallTime)
        case .ready: return stallTime
        case .stalled: return nil
        }
    }

    private var stallTime: HostTime? {
        if behaviour.neverAsks { return nil }
        if let lastQuestion { return lastQuestion.advanced(by: Self.stallLimit) }
        guard case .asks = behaviour, let firstSync else { return nil }
        return max(firstSync, restartedAt).advanced(by: Self.stallLimit)
    }

    mutating func synced(at now: HostTime) { firstSync = firstSync ?? now }

    /// Notes that the peer has just begun to listen: a peer that does not ask has to find the clock again.
    mutating func restarted(at now: HostTime) {
        restartedAt = now
        if behaviour.neverAsks || questionCount == 0 { state = .waiting }
    }

    /// Returns whether a request at `now` is the first one, or the first of a new streak.
    func isFirstQuestion(at now: HostTime) -> Bool {
        guard let lastQuestion, state != .stalled else { return true }
        return state != .ready && now.since(lastQuestion) > Self.streakGap
    }

    /// Recomputes ``exchangeReadyTime`` for another kind of peer from the requests so far.
    private mutating func applyRule(insteadOf old: ClockPeerBehaviour) {
        guard let lastQuestion, let rule = behaviour.exchangeRule else { return }
        if let before = old.exchangeRule, before == rule { return }
        exchangeReadyTime = streakCount >= rule.exchanges ? lastQuestion.advanced(by: rule.then) : nil
    }

    mutating func asked(at now: HostTime) {
        if let lastQuestion, state == .ready || now.since(lastQuestion) <= Self.streakGap {
            streakCount += 1
        } else {
            streakCount = 1
            exchangeReadyTime = nil
        }
        if state == .stalled { state = .waiting }
        lastQuestion = now
        questionCount += 1
        guard let rule = behaviour.exchangeRule, streakCount == rule.exchanges else { return }
        exchangeReadyTime = now.advanced(by: rule.then)
    }

    /// Updates the state; returns `true` when it changed.
    mutating func evaluate(at now: HostTime) -> Bool {
        let before = state
        if let stallTime, now >= stallTime {
            state = .stalled
        } else if state == .waiting, let readyTime, now >= readyTime {
            state = .ready
        }
        return state != before
    }
}
