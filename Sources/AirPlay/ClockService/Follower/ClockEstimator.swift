import TuttiMediaTime

/// An estimator of another clock's offset and rate, from messages with unknown delays in both directions.
///
/// **Offset.** Messages to us give a lower bound of the offset, messages from us an upper bound. The estimate
/// is the midpoint of the best of both, which is exact when the quickest messages took equally long each way.
/// **Rate.** Weighted regressions through the best samples of each stretch, with one slope and a separate
/// level per direction, regularized towards the expected drift while there are few samples: one through all samples, and one
/// in which newer samples weigh more, which counts as far as the rate has changed.
struct ClockEstimator {
    /// The clamp of the drift, nanoseconds per nanosecond. No clock of a working machine is further off.
    static let greatestDrift = 500e-6
    /// The prior's standard deviation of the drift around the expected drift, nanoseconds per second.
    private static let driftSpread = 30_000.0
    /// A path whose better quarter of samples is nearer to the best one than this, nanoseconds, is quiet.
    private static let quietSpread = 50_000.0
    private static let sharedWeight = 16.0
    /// The lower limit of timestamp noise, nanoseconds.
    private static let stampNoise = 500.0
    /// The window, seconds, of messages to us that count for the offset; they come eight times a second.
    private static let lowerWindow = 16.0
    /// The same window, seconds, for answers to us, which are rarer.
    private static let upperWindow = 64.0
    /// The ``doubt``, nanoseconds, that is more than the noise of a path.
    private static let noticeableDoubt = 100_000.0
    /// Drift of the quickest messages' own delay in the first seconds, nanoseconds (*observed* on loopback).
    /// The estimator distrusts a clock drift that explains no more than this.
    private static let creep = 12_000.0
    /// The error of the first offsets, nanoseconds (*observed* between two network namespaces of a busy machine: up
    /// to 34 µs), and the seconds after which it is gone.
    private static let youngError = 30_000.0
    private static let youngSeconds = 2.0
    /// Most seconds between two messages that count as one round trip.
    private static let pairSeconds = 1.5
    /// The number of newest samples that may show that the path has become better than it was.
    private static let newestSamples = 16
    /// Samples of which too few are neighbours.
    private static let fewSamples = 8
    /// One of so many samples is as good as the best, but for so many times the noise.
    private static let supporters = 16
    private static let tolerance = 8.0
    /// The change of a rate, nanoseconds per second in a minute, that is followed as soon as it shows: a crystal that becomes warm.
    private static let quickWander = 3000.0
    /// The standard deviations by which a rate has changed rather than not.
    private static let surprise = 4.0
    /// The seconds of samples that may show another rate than the estimate, and how many they are at least in each direction.
    private static let newestSeconds = 4.5
    private static let fewestSamples = 5
    /// The least difference of such a rate, nanoseconds per second.
    private static let noticeableRate = 1000.0

    /// Network minus host time of the first sample, nanoseconds; all offsets are relative to this base.
    let base: Int64
    private let start: HostTime
    private var lower = OffsetEnvelope(.lower)
    private var upper = OffsetEnvelope(.upper)
    private let expectedDrift: Double
    private(set) var drift: Double
    /// The bounds of the offset at ``latest``, nanoseconds from ``base``.
    private(set) var bounds: (lower: Double?, upper: Double?) = (nil, nil)
    /// Half the round trip of the quickest messages, nanoseconds; `nil` before both directions are known.
    private(set) var pathDelay: Double?
    /// Half the round trip of the quickest messages that came and went at about the same time, nanoseconds.
    private var leastPathDelay: Double?
    private(set) var latest: HostTime
    private var boundsTime: HostTime
    private(set) var lowerCount = 0
    private(set) var upperCount = 0
    /// Room for the merits of all samples.
    private var merits: [Double] = []

    /// - Parameter expectedDrift: Rate ratio minus 1, from an earlier estimate of this clock; 0 if unknown.
    init(base: Int64, start: HostTime, expectedDrift: Double = 0) {
        self.expectedDrift = expectedDrift
        drift = expectedDrift
        self.base = base
        self.start = start
        latest = start
        boundsTime = start
    }

    /// The offset at ``latest``, nanoseconds from ``base``; the lower bound alone until both directions are known.
    var value: Double? {
        guard let low = bounds.lower else { return nil }
        return low + (pathDelay ?? 0)
    }

    mutating func insert(_ offset: Double, _ side: OffsetEnvelope.Side, at time: HostTime) {
        let elapsed = max(0, time.nanoseconds &- start.nanoseconds)
        latest = max(latest, time)
        let isNew: Bool
        if side == .lower {
            lowerCount += 1
            isNew = lower.insert(offset, at: elapsed, drift: drift)
        } else {
            upperCount += 1
            isNew = upper.insert(offset, at: elapsed, drift: drift)
        }
        if isNew { estimateDrift() }
        estimateOffset()
    }

    private mutating func estimateOffset() {
        let now = Double(latest.nanoseconds &- start.nanoseconds) * 1e-9
        let high = upper.level(at: now, since: now - Self.upperWindow, drift: drift)
        let low = lowerLevel(at: now, below: high)
        let moved = drift * Double(latest.nanoseconds &- boundsTime.nanoseconds)
        bounds = (low ?? bounds.lower.map { $0 + moved }, high ?? bounds.upper.map { $0 + moved })
        boundsTime = latest
        guard let low, let high else { return }
        pathDelay = max(0, (high - low) / 2)
    }

    /// Returns the level of the messages to us. While all of late are slower than some before, as behind other traffic, those
    /// before count longer, if the rate is well known.
    private func lowerLevel(at now: Double, below high: Double?) -> Double? {
        let low = lower.level(at: now, since: now - Self.lowerWindow, drift: drift)
        guard let low, let high, let leastPathDelay, now > 2 * Self.lowerWindow,
            (high - low) / 2 - leastPathDelay > Self.noticeableDoubt
        else { return low }
        return lower.level(
            at: now, since: now - Self.lowerWindow, drift: drift, reach: Self.upperWindow - Self.lowerWindow)
    }

    /// How far ``value`` may be off because the quickest messages of late are slower than some before, perhaps one way
    /// only, nanoseconds.
    var doubt: Double {
        guard let pathDelay, let leastPathDelay else { return 0 }
        return max(0, pathDelay - leastPathDelay)
    }

    /// The possible error of the offset, nanoseconds: the quickest messages so far may have been slow.
    var offsetError: Double {
        let span = Double(latest.nanoseconds &- start.nanoseconds) * 1e-9
        return Self.youngError * max(0, 1 - span / Self.youngSeconds)
    }

    // MARK: Rate

    /// The standard deviation of ``drift``, nanoseconds per nanosecond. It follows from the time of measuring alone.
    var driftError: Double {
        let span = Double(latest.nanoseconds &- start.nanoseconds) * 1e-9
        let measured = span * Self.driftSpread / Self.creep
        return Self.driftSpread * 1e-9 / (1 + measured * measured).squareRoot()
    }

    private mutating func estimateDrift() {
        let now = Double(latest.nanoseconds &- start.nanoseconds) * 1e-9
        lower.forget(before: now)
        upper.forget(before: now)
        if let rate = newestRate { drift = rate }
        let all = regression(from: drift, wander: 0, at: now)
        let newer = regression(from: drift, wander: Self.quickWander, at: now)
        // All samples together are the most precise, unless the rate has changed: by more than the newer ones differ by chance.
        let change = (newer.drift - all.drift) * (newer.drift - all.drift)
        let chance = Self.surprise * Self.surprise * newer.error * newer.error
        drift = all.drift + (newer.drift - all.drift) * change / (change + chance)
        estimateLeastPathDelay()
    }

    /// Returns the rate at `now` and its standard deviation, both nanoseconds per nanosecond.
    ///
    /// - Parameter wander: The change of the rate, nanoseconds per second in a minute, that is to be expected: the greater it is,
    ///   the less do older samples weigh.
    private mutating func regression(
        from start: Double, wander: Double, at now: Double
    ) -> (drift: Double, error: Double) {
        let prior = 1 / (Self.driftSpread * Self.driftSpread)
        var fit = (drift: start, error: 0.0)
        // The weights depend on the drift: iterate twice.
        for _ in 0..<2 {
            var spreads = (
                lower: max(Self.stampNoise, spread(of: lower, drift: fit.drift)),
                upper: max(Self.stampNoise, spread(of: upper, drift: fit.drift))
            )
            let mean = (spreads.lower + spreads.upper) / 2
            // On a quiet path both directions count the same, whatever their sample counts. If the quickest
            // messages slow down both ways, as between programs that fall idle, that is no drift.
            let isQuiet = mean < Self.quietSpread
            if isQuiet { spreads = (mean, mean) }
            var sums = Sums()
            var weights = Weights(
                drift: fit.drift, spread: spreads.lower, wander: wander, now: now, areShared: isQuiet)
            add(lower, weights, to: &sums)
            weights.spread = spreads.upper
            add(upper, weights, to: &sums)
            let fitted = (sums.xy + prior * expectedDrift * 1e9) / (sums.xx + prior)
            let trust = (now * Self.driftSpread) * (now * Self.driftSpread)
            let share = trust / (trust + Self.creep * Self.creep)
            let slope = expectedDrift * 1e9 + (fitted - expectedDrift * 1e9) * share
            fit.drift = min(max(slope * 1e-9, -Self.greatestDrift), Self.greatestDrift)
            fit.error = (1 / (sums.xx + prior)).squareRoot() * 1e-9
        }
        return fit
    }

    /// The rate of the newest samples, if they agree on one that differs from the estimate, and more samples agree with it; `nil`
    /// otherwise. What was measured behind much traffic may be so wrong that old samples seem better than all newer ones.
    private var newestRate: Double? {
        guard let latest = lower.samples.last?.time else { return nil }
        let lowers = lower.samples(since: latest - Self.newestSeconds)
        let uppers = upper.samples(since: latest - Self.newestSeconds)
        guard min(lowers.count, uppers.count) >= Self.fewestSamples else { return nil }
        var sums = Sums()
        sums.add(lowers)
        sums.add(uppers)
        let rate = sums.xy / sums.xx
        let square = max(0, sums.yy - rate * sums.xy) / Double(lowers.count + uppers.count - 3)
        let error = (square / sums.xx).squareRoot()
        guard square.squareRoot() < Self.quietSpread / 2, abs(rate) < Self.greatestDrift * 1e9,
            abs(rate - drift * 1e9) > 4 * error + Self.noticeableRate
        else { return nil }
        return support(of: rate * 1e-9) > support(of: drift) ? rate * 1e-9 : nil
    }

    /// The number of samples that are as good as the best at a rate.
    private func support(of drift: Double) -> Int {
        [lower, upper].reduce(0) { sum, envelope in
            let merits = envelope.samples.lazy.map { envelope.merit($0, drift: drift) }
            let best = merits.max() ?? 0
            return sum + merits.count { best - $0 < Self.quietSpread }
        }
    }

    /// Compares each sample with those just before and behind it in the other direction: a drift that is not known yet says
    /// nothing about samples of different times.
    private mutating func estimateLeastPathDelay() {
        var least = Double.infinity
        var next = 0
        for sample in upper.samples {
            while next < lower.samples.count, lower.samples[next].time < sample.time { next += 1 }
            for index in max(0, next - 1)..<min(next + 1, lower.samples.count) {
                let other = lower.samples[index]
                let elapsed = sample.time - other.time
                guard abs(elapsed) < Self.pairSeconds else { continue }
                least = min(least, (sample.offset - other.offset - drift * elapsed * 1e9) / 2)
            }
        }
        leastPathDelay = least < .infinity ? max(0, least) : nil
    }

    private struct Sums {
        var xx = 0.0
        var xy = 0.0
        var yy = 0.0

        /// Adds samples of one direction, which have a level of their own.
        mutating func add(_ samples: ArraySlice<OffsetEnvelope.Sample>) {
            let count = Double(samples.count)
            let time = samples.reduce(0) { $0 + $1.time } / count
            let offset = samples.reduce(0) { $0 + $1.offset } / count
            for sample in samples {
                xx += (sample.time - time) * (sample.time - time)
                xy += (sample.time - time) * (sample.offset - offset)
                yy += (sample.offset - offset) * (sample.offset - offset)
            }
        }
    }

    /// The noise of the good samples of a path, nanoseconds: a quarter of the differences between neighbours is smaller, or of the
    /// newest ones, if these are nearer. Unlike the distances from the best sample, they hardly depend on the drift, and do not
    /// follow the seconds in which all messages were slow.
    private mutating func spread(of envelope: OffsetEnvelope, drift: Double) -> Double {
        let samples = envelope.samples
        merits.removeAll(keepingCapacity: true)
        if samples.count <= Self.fewSamples {
            for sample in samples { merits.append(-envelope.merit(sample, drift: drift)) }
            return quarter() - (merits.first ?? 0)
        }
        var newest = Double.infinity
        for index in samples.indices.dropFirst().reversed() {
            let (earlier, later) = (samples[index - 1], samples[index])
            merits.append(abs(envelope.merit(later, drift: drift) - envelope.merit(earlier, drift: drift)))
            if merits.count == Self.newestSamples { newest = quarter() }
        }
        return min(newest, quarter())
    }

    /// Sorts the merits, and returns the one that a quarter of them comes before.
    private mutating func quarter() -> Double {
        merits.sort()
        return merits.isEmpty ? 0 : merits[min(merits.count - 1, (merits.count + 3) / 4)]
    }

    /// How much the samples of one direction weigh.
    private struct Weights {
        var drift: Double
        /// The noise of good samples, nanoseconds.
        var spread: Double
        /// The change of the rate that is to be expected, nanoseconds per second in a minute.
        var wander: Double
        /// Seconds since the estimator's beginning.
        var now: Double
        /// Whether all samples together weigh as much as ``sharedWeight`` good samples.
        var areShared: Bool
    }

    /// Sorts the merits, and returns the greatest that some others nearly have. What is better alone has a wrong timestamp.
    private mutating func greatestMerit(within tolerance: Double) -> Double {
        merits.sort(by: >)
        let others = merits.count / Self.supporters
        return merits.indices.first { index in
            index + others < merits.count && merits[index] - merits[index + others] <= tolerance
        }.map { merits[$0] } ?? merits.first ?? 0
    }

    private mutating func add(_ envelope: OffsetEnvelope, _ weights: Weights, to sums: inout Sums) {
        let spread = weights.spread
        func bend(_ sample: OffsetEnvelope.Sample) -> Double {
            OffsetEnvelope.bend(weights.now - sample.time, wander: weights.wander)
        }
        merits.removeAll(keepingCapacity: true)
        for sample in envelope.samples {
            merits.append(envelope.merit(sample, drift: weights.drift) - bend(sample))
        }
        let best = greatestMerit(within: max(Self.quietSpread, Self.tolerance * spread))
        func weight(_ sample: OffsetEnvelope.Sample) -> Double {
            let distance = (best - envelope.merit(sample, drift: weights.drift)) / spread
            let bend = bend(sample) / spread
            return 1 / (1 + distance * distance + bend * bend)
        }
        var total = 0.0
        var meanTime = 0.0
        var meanOffset = 0.0
        for sample in envelope.samples {
            let weight = weight(sample)
            total += weight
            meanTime += weight * sample.time
            meanOffset += weight * sample.offset
        }
        guard total > 0 else { return }
        meanTime /= total
        meanOffset /= total
        for sample in envelope.samples {
            let weight = weight(sample)
            let time = sample.time - meanTime
            let share = (weights.areShared ? weight * Self.sharedWeight / total : weight) / (spread * spread)
            sums.xx += share * time * time
            sums.xy += share * time * (sample.offset - meanOffset)
        }
    }
}
