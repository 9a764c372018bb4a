import TuttiMediaTime

/// The best offsets seen in one direction of a path, one sample per stretch of time.
///
/// A message is never early, only late: the sample of a stretch with the least delay is nearest to the truth.
/// Stretches are short at first, so that the first second has many, and are merged in pairs as time passes,
/// up to one second each.
struct OffsetEnvelope {
    /// The direction of the messages, which decides which samples are better.
    enum Side: Sendable {
        /// Messages to us: network minus host time is too small by the message's delay.
        case lower
        /// Messages from us: network minus host time is too large by the message's delay.
        case upper
    }

    struct Sample {
        /// Seconds since the estimator's beginning.
        var time: Double
        /// The offset, nanoseconds.
        var offset: Double
        /// The index of the stretch.
        var stretch: Int64
    }

    static let capacity = 128
    static let firstStretch: Int64 = 62_500_000
    static let longestStretch: Int64 = 1_000_000_000
    /// The lifetime of samples, seconds. Older samples say little about a rate that changes with temperature.
    static let memory = 256.0

    let side: Side
    private(set) var samples: [Sample] = []
    private var stretchLength = firstStretch

    init(_ side: Side) {
        self.side = side
        samples.reserveCapacity(Self.capacity)
    }

    /// Returns the samples since a time.
    func samples(since time: Double) -> ArraySlice<Sample> {
        samples.suffix(from: samples.lastIndex { $0.time < time }.map { $0 + 1 } ?? 0)
    }

    /// Returns the merit of a sample at this drift, nanoseconds; larger is better.
    func merit(_ sample: Sample, drift: Double) -> Double {
        let level = sample.offset - drift * sample.time * 1e9
        return side == .lower ? level : -level
    }

    /// Returns how far a clock may have come off a straight line in `seconds`, nanoseconds.
    ///
    /// - Parameter wander: The change of its rate, nanoseconds per second in a minute.
    static func bend(_ seconds: Double, wander: Double = wander) -> Double {
        wander / 60 * seconds * seconds / 2
    }

    /// - Parameters:
    ///   - nanoseconds: The time since the estimator's beginning.
    ///   - drift: The best estimate, to compare samples of different times.
    /// - Returns: Whether a new stretch began.
    mutating func insert(_ offset: Double, at nanoseconds: Int64, drift: Double) -> Bool {
        var sample = Sample(
            time: Double(nanoseconds) * 1e-9, offset: offset, stretch: nanoseconds / stretchLength)
        if let last = samples.last, sample.stretch <= last.stretch {
            samples[samples.count - 1] = better(last, sample, drift)
            return false
        }
        makeRoom(drift)
        sample.stretch = nanoseconds / stretchLength
        samples.append(sample)
        return true
    }

    private func better(_ earlier: Sample, _ later: Sample, _ drift: Double) -> Sample {
        var best = merit(later, drift: drift) > merit(earlier, drift: drift) ? later : earlier
        best.stretch = earlier.stretch
        return best
    }

    private mutating func makeRoom(_ drift: Double) {
        guard samples.count >= Self.capacity else { return }
        guard stretchLength < Self.longestStretch else {
            samples.removeFirst()
            return
        }
        stretchLength *= 2
        var joined: [Sample] = []
        joined.reserveCapacity(Self.capacity)
        for var sample in samples {
            sample.stretch >>= 1
            if let last = joined.last, last.stretch == sample.stretch {
                joined[joined.count - 1] = better(last, sample, drift)
            } else {
                joined.append(sample)
            }
        }
        samples = joined
    }

    /// Evicts samples older than ``memory``, but keeps at least 16.
    mutating func forget(before time: Double) {
        guard samples.count > 16, let first = samples.first, first.time < time - Self.memory else { return }
        samples.removeFirst(min(samples.count - 16, samples.count { $0.time < time - Self.memory }))
    }

    /// Returns the level at `time` of the samples since `start`, seconds; `nil` when there are none.
    ///
    /// Older samples count too where the newer ones cover little time: the first messages after a silence, as a link that
    /// is back carries much else, may all be late. Uses the second-best sample where they cover a long time: the very best may
    /// be due to a wrong timestamp. Of a clock that was just met, it may as well be the only one before a queue, as that of the
    /// sound with which a speaker is filled. Of two that are nearly equal the newer one is better, for the rate wanders.
    ///
    /// - Parameter reach: Seconds before `start` from which samples count as well, the less the older they are.
    func level(at time: Double, since start: Double, drift: Double, reach: Double = 0) -> Double? {
        var best = (rank: -Double.infinity, merit: 0.0)
        var second = best
        var isEmpty = true
        var (covered, newer) = (0.0, samples.last?.time ?? 0)
        for sample in samples.reversed() {
            covered += min(newer - sample.time, Self.longestCover)
            newer = sample.time
            let age = covered >= Self.leastCover ? start - sample.time : 0
            if age > reach { break }
            isEmpty = false
            let merit = merit(sample, drift: drift) - max(0, age) * Self.wander
            let rank = merit - Self.bend(time - sample.time)
            if rank > best.rank {
                (best, second) = ((rank, merit), best)
            } else if rank > second.rank {
                second = (rank, merit)
            }
        }
        guard !isEmpty else { return nil }
        let chosen = covered >= Self.longCover ? second.merit : best.merit
        return (side == .lower ? chosen : -chosen) + drift * time * 1e9
    }

    /// The greatest change of a settled clock's rate within a minute, nanoseconds per second.
    static let wander = 1000.0
    /// Seconds that samples cover of which the best may be wrong.
    private static let longCover = 14.0
    /// Seconds that the samples of a level cover at least, where there are so many.
    private static let leastCover = 4.0
    /// Most seconds between two samples that count as covered; more is a silence.
    private static let longestCover = 1.0
}
