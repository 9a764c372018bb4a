public import MediaTime

/// Another machine's clock as our host time sees it: pairs of times come in, a line comes out.
///
/// A value without sockets and clocks. The line is there after the first exchange in both directions,
/// or after some messages in one; in its first second it follows each better estimate at once,
/// after that it never steps, only its rate changes. Without samples it goes on as it is.
///
/// A clock that contradicts itself (a message that arrives before it can have left) has been set: after
/// three such samples the estimate starts anew, and the old line holds until the new one is there.
public struct FollowedClock: Sendable {
    /// Samples that disagree by more, nanoseconds, cannot both be right.
    static let contradiction = 1_000_000.0
    /// The same for a clock that is well known; a single such sample is a wrong stamp.
    static let fineContradiction = 25_000.0
    /// So many contradictions in a row are a clock that was set.
    static let contradictionsUntilRestart = 3
    static let fineContradictionsUntilRestart = 16
    /// Samples after which a clock is well known.
    static let knownAfter = 256
    /// A line that is this close to the one before, nanoseconds, takes its place slowly.
    static let stepLimit = 2_000_000.0
    /// Messages to us that are later than the quickest by about the same, and so many of them in a row,
    /// are a clock that was set back, when there is nothing else to tell by.
    static let latenessUntilRestart = 16
    static let noticeableLateness = 5_000_000.0
    /// Messages in one direction that make a line, when questions are not answered.
    static let oneWaySamples = 4
    static let oneWayPatience = Duration.milliseconds(300)
    /// While it is so young, a better estimate is taken over at once.
    static let youth = Duration.seconds(1)
    /// Answers older than this no longer say whether a late message was late.
    private static let answerLifetime = Duration.seconds(10)

    private var estimator: ClockEstimator?
    /// `nil` until the clock is known.
    public private(set) var line: ClockLine?
    /// When the present estimate had its first line.
    private var settledSince: HostTime?
    /// Whether better estimates are taken over at once.
    private var isFresh = true
    private var firstSample: HostTime?
    private var lowerContradictions = Contradictions()
    private var upperContradictions = Contradictions()
    private var lateness = Lateness()
    private var lastAnswer: HostTime?
    /// When a message of the clock came last.
    public private(set) var lastSample: HostTime?
    /// Samples since the last restart.
    public var sampleCount: Int { (estimator?.lowerCount ?? 0) + (estimator?.upperCount ?? 0) }
    public private(set) var restartCount = 0

    /// A run of samples that cannot be.
    private struct Contradictions {
        var coarse = 0
        var all = 0

        var areEnough: Bool {
            coarse >= contradictionsUntilRestart || all >= fineContradictionsUntilRestart
        }
    }

    /// A run of messages that are late by about the same.
    private struct Lateness {
        var count = 0
        var least = 0.0
        var most = 0.0
    }

    public init() {}

    /// Half the round trip of the quickest messages; `nil` before both directions have been measured.
    public var pathDelay: Duration? { estimator?.pathDelay.map { .nanoseconds(Int64($0)) } }

    /// Rate ratio minus 1.
    public var drift: Double { estimator?.drift ?? 0 }

    /// Something does not fit: a question now would tell what.
    public var isInDoubt: Bool {
        lowerContradictions.coarse > 0 || upperContradictions.coarse > 0 || lateness.count >= 3
    }

    /// The line near `now`; `nil` until the clock is known.
    public func mapping(at now: HostTime) -> ClockMapping? { line?.mapping(at: now) }

    // MARK: Samples

    /// A message of the other clock: it left at `departure`, corrections included, and came at `arrival`.
    public mutating func receive(departure: NetworkTime, arrival: HostTime) {
        take(departure.nanoseconds &- arrival.nanoseconds, .lower, at: arrival, now: arrival)
    }

    /// A message of ours that the other clock has answered: it left at `departure` and came there at
    /// `arrival`; `now` is when the answer came.
    public mutating func receive(departure: HostTime, arrival: NetworkTime, answeredAt now: HostTime) {
        take(arrival.nanoseconds &- departure.nanoseconds, .upper, at: departure, now: now)
        lastAnswer = now
    }

    private mutating func take(
        _ difference: Int64, _ side: OffsetEnvelope.Side, at time: HostTime, now: HostTime
    ) {
        if estimator == nil { start(difference, at: time) }
        guard let base = estimator?.base else { return }
        let (relative, overflow) = difference.subtractingReportingOverflow(base)
        let offset = overflow ? (difference < 0 ? -1e18 : 1e18) : Double(relative)
        if let excess = contradiction(offset, side, at: time) {
            guard noteContradiction(side, by: excess) else { return }
            restart(difference, at: time)
        } else if side == .lower, isSetBack(offset, at: time) {
            restart(difference, at: time)
        }
        guard let base = estimator?.base else { return }
        if side == .lower { lowerContradictions = .init() } else { upperContradictions = .init() }
        lastSample = max(lastSample ?? now, now)
        estimator?.insert(Double(difference &- base), side, at: time)
        publish(at: now)
    }

    private mutating func start(_ difference: Int64, at time: HostTime) {
        // It was set, but it is still the same clock.
        let drift = sampleCount >= Self.knownAfter ? drift : 0
        estimator = ClockEstimator(base: difference, start: time, expectedDrift: drift)
        firstSample = time
        settledSince = nil
    }

    private mutating func restart(_ difference: Int64, at time: HostTime) {
        restartCount += 1
        (lowerContradictions, upperContradictions, lateness) = (.init(), .init(), .init())
        lastAnswer = nil
        start(difference, at: time)
    }

    // MARK: A clock that was set

    /// By how many nanoseconds a sample is impossible; `nil` when it is not.
    private func contradiction(
        _ offset: Double, _ side: OffsetEnvelope.Side, at time: HostTime
    ) -> Double? {
        guard let estimator else { return nil }
        let elapsed = Double(time.nanoseconds &- estimator.latest.nanoseconds)
        let moved = estimator.drift * elapsed
        let isKnown = sampleCount >= Self.knownAfter
        // What an error of the drift may have done since the last sample.
        var allowed = abs(elapsed) * (isKnown ? 20e-6 : 500e-6)
        allowed +=
            isKnown ? max(Self.fineContradiction, (estimator.pathDelay ?? 0) / 2) : Self.contradiction
        let excess: Double?
        switch side {
        case .lower:
            // With nothing else to compare with, a quicker message is welcome, one from another time is not.
            excess =
                estimator.bounds.upper.map { offset - $0 - moved }
                ?? estimator.bounds.lower.map { offset - $0 - moved - Self.noticeableLateness }
        case .upper:
            excess = estimator.bounds.lower.map { $0 + moved - offset }
        }
        return excess.flatMap { $0 > allowed ? $0 : nil }
    }

    /// - Returns: Whether these are enough.
    private mutating func noteContradiction(_ side: OffsetEnvelope.Side, by excess: Double) -> Bool {
        var run = side == .lower ? lowerContradictions : upperContradictions
        run.all += 1
        run.coarse += excess > Self.contradiction ? 1 : 0
        if side == .lower { lowerContradictions = run } else { upperContradictions = run }
        // As long as there is no line, the newer sample is as good as the older.
        return line == nil || run.areEnough
    }

    /// Whether messages have been late long enough, by the same, and with nobody to answer why.
    private mutating func isSetBack(_ offset: Double, at time: HostTime) -> Bool {
        guard let estimator, let low = estimator.bounds.lower else { return false }
        let moved = estimator.drift * Double(time.nanoseconds &- estimator.latest.nanoseconds)
        let late = low + moved - offset
        guard late > Self.noticeableLateness else {
            lateness = Lateness()
            return false
        }
        if lateness.count == 0 { (lateness.least, lateness.most) = (late, late) }
        lateness.count += 1
        lateness.least = min(lateness.least, late)
        lateness.most = max(lateness.most, late)
        if lateness.most - lateness.least > Self.noticeableLateness / 2 { lateness = Lateness() }
        if let lastAnswer, time.since(lastAnswer) < Self.answerLifetime { return false }
        return lateness.count >= Self.latenessUntilRestart
    }

    // MARK: The line

    private mutating func publish(at now: HostTime) {
        guard let estimator, let value = estimator.value, isComplete(estimator, at: now) else { return }
        var next = ClockLine(
            base: estimator.base, reference: estimator.latest, value: value, drift: estimator.drift)
        if settledSince == nil {
            settledSince = now
            isFresh = line.map { !isNear($0, next, at: now) } ?? true
        }
        let age = settledSince.map { now.since($0) } ?? .zero
        if age >= Self.youth { isFresh = false }
        if let line, !isFresh { slew(&next, from: line, age: age.inSeconds, at: now) }
        line = next
    }

    private func isNear(_ line: ClockLine, _ other: ClockLine, at now: HostTime) -> Bool {
        let (moved, overflow) = line.base.subtractingReportingOverflow(other.base)
        guard !overflow else { return false }
        return abs(line.published(at: now) - other.estimate(at: now) + Double(moved)) < Self.stepLimit
    }

    private func isComplete(_ estimator: ClockEstimator, at now: HostTime) -> Bool {
        if estimator.pathDelay != nil { return true }
        guard let firstSample else { return false }
        return estimator.lowerCount >= Self.oneWaySamples && now.since(firstSample) >= Self.oneWayPatience
    }

    /// Makes the new line begin where the old one is.
    private func slew(_ next: inout ClockLine, from old: ClockLine, age: Double, at now: HostTime) {
        // Near, so that the difference of the bases fits.
        let published = old.published(at: now) + Double(old.base &- next.base)
        let estimate = next.estimate(at: now)
        next.value = estimate
        next.reference = now
        next.residual = published - estimate
        let time = min(max(age / 4, 0.25), 16)
        let fastest = age < 10 ? 500e-6 : 50e-6
        next.slew = min(next.residual.magnitude / (time * 1e9), fastest)
    }
}
