import TuttiMediaTime

/// A model of another machine's clock in our host time: pairs of times come in, a line comes out.
///
/// A value without sockets and clocks. The line exists after the first exchange in both directions, or after
/// some messages in one. In its first second the line takes over each better estimate at once; after that it steps only
/// if it is five milliseconds off, else only its rate changes. Without samples the line continues unchanged.
///
/// A clock that contradicts itself (a message arrives before it can have left) has been set: after three such
/// samples the estimate restarts, and the old line holds until there is a new one.
package struct FollowedClock: Sendable {
    /// Samples that disagree by more than this, nanoseconds, cannot both be right.
    static let contradiction = 1_000_000.0
    /// The same limit for a well-known clock; a single such sample is a wrong timestamp.
    static let fineContradiction = 25_000.0
    /// The number of contradictions in a row that mean that the clock was set.
    static let contradictionsUntilRestart = 3
    static let fineContradictionsUntilRestart = 16
    /// The number of samples after which a clock is well known.
    static let knownAfter = 256
    /// A new line closer than this to the old one, nanoseconds, replaces it by a slew instead of a step.
    static let stepLimit = 2_000_000.0
    /// A better estimate farther away than this, nanoseconds, is taken over at once also by an old line: as a slew it would take
    /// longer than 10 s, and rooms so far apart are heard as two.
    static let slewLimit = 5_000_000.0
    /// A distance of the line from the estimate, nanoseconds, that is more than an old clock's noise, and soon made up for.
    static let noticeableResidual = 120_000.0
    /// The number of messages in a row, all later than the quickest by about the same, that mean that the
    /// clock was set back, when no answers contradict that.
    static let latenessUntilRestart = 16
    static let noticeableLateness = 5_000_000.0
    /// The number of messages in one direction that make a line when requests are not answered.
    static let oneWaySamples = 4
    static let oneWayPatience = Duration.milliseconds(300)
    /// The age up to which a line takes over a better estimate at once.
    static let youth = Duration.seconds(1)
    /// The greatest change of the line's rate for a better estimate, which nobody hears.
    static let fastestSlew = 500e-6
    /// The same of an old line, for an estimate that may be the worse one.
    static let cautiousSlew = 50e-6
    /// The age beyond which answers no longer say whether a late message was late.
    private static let answerLifetime = Duration.seconds(10)

    private var estimator: ClockEstimator?
    /// The published line; `nil` until the clock is known.
    package private(set) var line: ClockLine?
    /// The host time at which the present estimate had its first line.
    private var settledSince: HostTime?
    /// Whether the line takes over better estimates at once.
    private var isFresh = true
    private var firstSample: HostTime?
    private var lowerContradictions = Contradictions()
    private var upperContradictions = Contradictions()
    private var lateness = Lateness()
    private var lastAnswer: HostTime?
    /// The host time of the clock's last message that counted.
    package private(set) var lastSample: HostTime?
    /// The number of samples since the last restart.
    package var sampleCount: Int { (estimator?.lowerCount ?? 0) + (estimator?.upperCount ?? 0) }
    /// The number of times that the line began anew: the clock was set, or the line was far off.
    package private(set) var restartCount = 0

    /// A run of contradictory samples in one direction.
    private struct Contradictions {
        var coarse = 0
        var all = 0

        var areEnough: Bool {
            coarse >= contradictionsUntilRestart || all >= fineContradictionsUntilRestart
        }
    }

    /// A run of messages that are late by about the same, nanoseconds.
    private struct Lateness {
        var count = 0
        var least = 0.0
        var most = 0.0
    }

    /// Creates a clock without measurements.
    package init() {}

    /// Half the round trip of the quickest messages; `nil` before both directions have been measured.
    package var pathDelay: Duration? { estimator?.pathDelay.map { .nanoseconds(Int64($0)) } }

    /// Rate ratio minus 1.
    package var drift: Double { estimator?.drift ?? 0 }

    /// Whether samples contradict each other; a request now would tell why.
    package var isInDoubt: Bool {
        lowerContradictions.coarse > 0 || upperContradictions.coarse > 0 || lateness.count >= 3
    }

    /// Returns the line near `now`; `nil` until the clock is known.
    package func mapping(at now: HostTime) -> ClockMapping? { line?.mapping(at: now) }

    // MARK: Samples

    /// Takes a message of the other clock: `departure` includes its corrections.
    package mutating func receive(departure: NetworkTime, arrival: HostTime) {
        take(departure.nanoseconds &- arrival.nanoseconds, .lower, at: arrival, now: arrival)
    }

    /// Takes an answered message of ours: it left at `departure` and reached the other clock at `arrival`;
    /// `now` is the time of the answer.
    package mutating func receive(departure: HostTime, arrival: NetworkTime, answeredAt now: HostTime) {
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
        // A clock that was set is still the same oscillator: keep a well-known drift.
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

    /// Returns by how many nanoseconds a sample is impossible; `nil` when it is possible.
    private func contradiction(
        _ offset: Double, _ side: OffsetEnvelope.Side, at time: HostTime
    ) -> Double? {
        guard let estimator else { return nil }
        let elapsed = Double(time.nanoseconds &- estimator.latest.nanoseconds)
        let moved = estimator.drift * elapsed
        let isKnown = sampleCount >= Self.knownAfter
        // Allows for the error that a wrong drift may have caused since the last sample.
        var allowed = abs(elapsed) * (isKnown ? 20e-6 : 500e-6)
        allowed +=
            isKnown ? max(Self.fineContradiction, (estimator.pathDelay ?? 0) / 2) : Self.contradiction
        let excess: Double?
        switch side {
        case .lower:
            // With only a lower bound to compare with, accept a quicker message, but not one of another epoch.
            excess =
                estimator.bounds.upper.map { offset - $0 - moved }
                ?? estimator.bounds.lower.map { offset - $0 - moved - Self.noticeableLateness }
        case .upper:
            excess = estimator.bounds.lower.map { $0 + moved - offset }
        }
        return excess.flatMap { $0 > allowed ? $0 : nil }
    }

    /// - Returns: Whether the contradictions are enough for a restart.
    private mutating func noteContradiction(_ side: OffsetEnvelope.Side, by excess: Double) -> Bool {
        var run = side == .lower ? lowerContradictions : upperContradictions
        run.all += 1
        run.coarse += excess > Self.contradiction ? 1 : 0
        if side == .lower { lowerContradictions = run } else { upperContradictions = run }
        // Until there is a line, the newer sample is as good as the older.
        return line == nil || run.areEnough
    }

    /// Returns whether messages have been late long enough, by the same amount, and without recent answers.
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
            base: estimator.base, reference: estimator.latest, value: value, drift: estimator.drift,
            offsetError: estimator.offsetError, driftError: estimator.driftError)
        if settledSince == nil {
            settledSince = now
            isFresh = line.map { !isNear($0, next, at: now) } ?? true
        }
        let age = settledSince.map { now.since($0) } ?? .zero
        if age >= Self.youth { isFresh = false }
        if let line, !isFresh {
            follow(&next, from: line, age: age.inSeconds, doubt: estimator.doubt, at: now)
        }
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

    /// Makes the new line begin at the old line's published offset, from which it goes to the estimate; or lets it step, if
    /// it is so far off that this is the lesser evil. As after a queue in one direction while the clock was met: its
    /// messages are late by the same, until the first one that is not.
    ///
    /// - Parameter doubt: How far the estimate may be off by a path that has become slower. An old line follows such an
    ///   estimate slowly.
    private mutating func follow(
        _ next: inout ClockLine, from old: ClockLine, age: Double, doubt: Double, at now: HostTime
    ) {
        // The bases are near each other, so their difference fits.
        let published = old.published(at: now) + Double(old.base &- next.base)
        let estimate = next.estimate(at: now)
        let residual = published - estimate
        let isSure = residual.magnitude > 2 * doubt
        if isSure, residual.magnitude > Self.slewLimit {
            restartCount += 1
            return
        }
        (next.value, next.reference, next.residual, next.doubt) = (estimate, now, residual, doubt)
        let longest = isSure && residual.magnitude > Self.noticeableResidual ? 4.0 : 16
        let fastest = isSure || age < 10 ? Self.fastestSlew : Self.cautiousSlew
        next.slew = min(residual.magnitude / (min(max(age / 4, 0.25), longest) * 1e9), fastest)
    }
}
