/// The starts that the acts of a user ask for, and the frames at which rooms have to begin.
struct HouseStarts {
    private struct Start {
        var time: Int64
        /// The frame of the item; `nil` for the one at which the room fell silent.
        var frame: Double?
        /// The time of the pause that ends with this start; `nil` for a jump while the house plays.
        var pausedAt: Int64?
    }

    private var starts: [Start] = []
    private var isPlaying = false
    private var pausedAt: Int64?
    /// The frame at which the next start begins; `nil` where the pause was.
    private var frame: Double? = 0

    /// Frames by which a start may miss its place: what the ear cannot read. A packet has 352.
    private static let tolerance = 150.0
    /// Nanoseconds before a start without a fault, so that every room plays and is filled.
    private static let calm: Int64 = 15_000_000_000
    /// Nanoseconds after a start in which it is heard.
    private static let reaction: Int64 = 3_000_000_000
    /// Nanoseconds before a start without another command.
    private static let apart: Int64 = 1_000_000_000

    mutating func note(_ act: HouseScript.Act, at time: Int64) {
        switch act {
        case .play:
            if !isPlaying { starts.append(Start(time: time, frame: frame, pausedAt: pausedAt)) }
            (isPlaying, frame, pausedAt) = (true, nil, nil)
        case .pause: if isPlaying { (isPlaying, pausedAt) = (false, time) }
        case .skip: jump(to: 0, at: time)
        case .seek(let seconds): jump(to: seconds * Double(StampedSound.rate), at: time)
        default: break
        }
    }

    private mutating func jump(to frame: Double, at time: Int64) {
        if isPlaying { starts.append(Start(time: time, frame: frame)) } else { self.frame = frame }
    }

    /// Returns descriptions of the starts that a room has begun at another frame. Judges only those far from faults and other
    /// commands.
    ///
    /// - Parameters:
    ///   - commands: The times of the commands for this room.
    ///   - troubles: The times of its faults.
    func complaints(of speaker: VirtualSpeaker, commands: [Int64], troubles: [ClosedRange<Int64>]) -> [String]
    {
        starts.compactMap { start in
            let first = start.pausedAt ?? start.time
            let end = start.time + Self.reaction
            guard !troubles.contains(where: { $0.overlaps(first - Self.calm...end) }) else { return nil }
            // Between a pause and its end, the user may choose another place.
            let isAlone = !commands.contains {
                ($0 >= first - Self.apart && $0 < first) || ($0 > start.time && $0 <= end)
            }
            let runs = speaker.runs
            guard isAlone, let index = runs.firstIndex(where: { $0.first.time > start.time }),
                index > 0
            else { return nil }
            let (before, after) = (runs[index - 1].last, runs[index].first)
            guard after.time <= end, abs(before.time - first) < Self.apart else { return nil }
            let missed = after.frame - (start.frame ?? before.frame)
            guard abs(missed) > Self.tolerance else { return nil }
            let seconds = Double(after.time / 1_000_000) / 1e3
            return
                "\(speaker.name) begins at \(seconds) s \(Int(missed)) frames behind the place of the command"
        }
    }
}
