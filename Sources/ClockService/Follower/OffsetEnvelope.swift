import MediaTime

/// The best offsets seen in one direction of a path, one for each stretch of time.
///
/// A message is never early, only late: of all samples of a stretch the one that hurried most is
/// nearest to the truth. Stretches are short at first, so that the first second has many of them, and
/// are joined in pairs as time goes on, up to a second each.
struct OffsetEnvelope {
    /// Which samples are the better ones.
    enum Side: Sendable {
        /// From them to us: network minus host time is too small by what the message waited.
        case lower
        /// From us to them: too large.
        case upper
    }

    struct Sample {
        /// Seconds since the estimator's beginning.
        var time: Double
        /// Nanoseconds.
        var offset: Double
        /// Which stretch it stands for.
        var stretch: Int64
    }

    static let capacity = 128
    static let firstStretch: Int64 = 62_500_000
    static let longestStretch: Int64 = 1_000_000_000
    /// Seconds. Older samples say little of a rate that temperature changes.
    static let memory = 256.0

    let side: Side
    private(set) var samples: [Sample] = []
    private var stretchLength = firstStretch

    init(_ side: Side) {
        self.side = side
        samples.reserveCapacity(Self.capacity)
    }

    /// Larger is better.
    func merit(_ sample: Sample, drift: Double) -> Double {
        let level = sample.offset - drift * sample.time * 1e9
        return side == .lower ? level : -level
    }

    /// - Parameters:
    ///   - nanoseconds: Since the estimator's beginning.
    ///   - drift: The best guess, to compare samples of different times.
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

    /// Forgets what is too old, as long as enough is left.
    mutating func forget(before time: Double) {
        guard samples.count > 16, let first = samples.first, first.time < time - Self.memory else { return }
        samples.removeFirst(min(samples.count - 16, samples.count { $0.time < time - Self.memory }))
    }

    /// The level at `time` of the samples since `start`, seconds; `nil` when there is none.
    ///
    /// Not the very best one where there are many: that may owe it to a stamp that was wrong.
    func level(at time: Double, since start: Double, drift: Double) -> Double? {
        var best = -Double.infinity
        var second = -Double.infinity
        var stretches = 0
        for sample in samples.reversed() {
            if sample.time < start { break }
            stretches += 1
            let merit = merit(sample, drift: drift)
            if merit > best { (best, second) = (merit, best) } else { second = max(second, merit) }
        }
        guard stretches > 0 else { return nil }
        let chosen = stretches >= Self.manyStretches ? second : best
        return (side == .lower ? chosen : -chosen) + drift * time * 1e9
    }

    private static let manyStretches = 8
}
