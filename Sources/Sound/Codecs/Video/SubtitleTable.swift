/// Texts that are found by their time. A value.
package struct SubtitleTable: Hashable, Sendable {
    /// Texts longer than this, in milliseconds, are searched one by one: watermarks and credits, of which there are few.
    private static let longest: Int64 = 60_000
    /// The most such texts; further ones are found for their first minute only.
    private static let longLimit = 256

    /// All texts in the order of their starts.
    package private(set) var cues: [SubtitleCue] = []
    private var long: [SubtitleCue] = []

    /// Makes a table of texts in the order of their starts.
    package init(_ cues: [SubtitleCue] = []) {
        self.cues = cues
        long = Array(cues.lazy.filter(Self.isLong).prefix(Self.longLimit))
    }

    private static func isLong(_ cue: SubtitleCue) -> Bool {
        let (length, isHuge) = cue.end.subtractingReportingOverflow(cue.start)
        return isHuge || length > longest
    }

    /// Adds a text behind those that start no later.
    package mutating func insert(_ cue: SubtitleCue) {
        cues.insert(cue, at: index(after: cue.start))
        if Self.isLong(cue), long.count < Self.longLimit { long.append(cue) }
    }

    /// The place behind all texts that start no later than a time in milliseconds.
    private func index(after time: Int64) -> Int {
        var (low, high) = (0, cues.count)
        while low < high {
            let middle = (low + high) / 2
            if cues[middle].start > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the texts shown at a time in milliseconds, long ones first, then in the order of their starts.
    package func shown(at time: Int64) -> [SubtitleCue] {
        let (earliest, isBefore) = time.subtractingReportingOverflow(Self.longest)
        let begun = cues[..<index(after: time)].reversed().prefix { isBefore || $0.start > earliest }
        let lasting = long.filter { ($0.start...).contains(time) && time < $0.end }
        return lasting + begun.filter { time < $0.end && !lasting.contains($0) }.reversed()
    }
}
