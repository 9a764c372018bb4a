extension VirtualHouse {
    /// The distances of the rooms from each other, second by second.
    var distances: [String] {
        speakers.indices.flatMap { first in
            speakers[(first + 1)...].map { room in
                let seconds = (0..<Int(seconds)).compactMap { second -> String? in
                    let start = Int64(second) * 1_000_000_000
                    let end = start + 1_000_000_000
                    let all = HouseJudge.differences(speakers[first], room, since: start, until: end)
                    guard let least = all.min(), let most = all.max() else { return nil }
                    return "\(second): \(Int(least))…\(Int(most))"
                }
                let title = "\(room.name) before \(speakers[first].name), µs at seconds: "
                return title + seconds.joined(separator: ", ")
            }
        }
    }
}

/// Comparisons of what rooms have played.
package enum HouseJudge {
    /// Differences in microseconds between what two rooms play at the same true time, for each point of the first.
    ///
    /// - Parameters:
    ///   - start: The true time before which points do not count.
    ///   - end: The true time from which points do not count.
    package static func differences(
        _ one: VirtualSpeaker, _ other: VirtualSpeaker, since start: Int64 = 0, until end: Int64 = .max
    ) -> [Double] {
        let (ones, others) = (one.points.filter { $0.time >= start && $0.time < end }, other.points)
        var found: [Double] = []
        var next = 0
        for point in ones {
            while next + 1 < others.count, others[next + 1].time <= point.time { next += 1 }
            guard next + 1 < others.count else { break }
            let (before, after) = (others[next], others[next + 1])
            let (frames, time) = (after.frame - before.frame, Double(after.time - before.time))
            // Within one run, and not where a block begins.
            guard before.time <= point.time, time < 30e6, frames > 0, abs(frames - time * 44_100e-9) < 4
            else { continue }
            let frame = before.frame + frames * Double(point.time - before.time) / time
            found.append((point.frame - frame) / 44_100e-6)
        }
        return found
    }

    /// Returns the frames that a room has left out or played twice between two runs that belong together.
    package static func gap(_ before: HeardRun, _ after: HeardRun) -> Double {
        after.first.frame - before.last.frame
    }

    /// Whether an item has ended with the first run, and the next item follows with the second, without a gap.
    ///
    /// - Parameter items: The frames of each item that is played.
    package static func isJoin(_ before: HeardRun, _ after: HeardRun, items: [Range<Double>]) -> Bool {
        let passed = Double(after.first.time - before.last.time) * 44_100e-9
        for ended in items {
            let left = ended.upperBound - before.last.frame
            for begun in items {
                let place = after.first.frame - begun.lowerBound
                if left < 300, place < 300, abs(place + left - passed) < 20 { return true }
            }
        }
        return false
    }

    /// The true time since which a room has played without a break; `nil` if it has played nothing.
    ///
    /// - Parameter items: The frames of each item that is played.
    package static func unbrokenSince(_ runs: [HeardRun], items: [Range<Double>]) -> Int64? {
        guard var first = runs.last else { return nil }
        for run in runs.dropLast().reversed() {
            guard isJoin(run, first, items: items) else { break }
            first = run
        }
        return first.first.time
    }
}
