/// The cues that libass has, and the limits of what it gets: scripts come from unknown files.
struct CueList {
    /// Longer events are left out; typesetting of fans takes some 10 KiB.
    static let textLimit = 64 << 10
    /// Headers beyond this are cut off; they hold the styles, and in some files fonts.
    static let headerLimit = 1 << 20
    /// The last cues count if there are more: two hours of dense typesetting.
    static let countLimit = 8192

    enum Change: Hashable {
        case none
        /// These cues follow those already there.
        case append([SubtitleCue])
        /// A new script.
        case replace(header: String, [SubtitleCue])
    }

    private var header: String?
    private var cues: [SubtitleCue] = []
    /// The times and weights of the cues that libass has.
    private var drawn: [(time: Range<Int64>, weight: Double)] = []

    /// Takes the cues that the program wants; of different headers only the first cue's counts.
    mutating func update(to wanted: [SubtitleCue]) -> Change {
        // Compares the arrays' storage first, so that the same list again costs nothing.
        guard wanted != cues else { return .none }
        let old = cues
        cues = wanted
        guard let newHeader = wanted.first?.header ?? header else { return .none }
        if newHeader == header, wanted.count > old.count, wanted.count <= Self.countLimit,
            wanted.starts(with: old)
        {
            return .append(usable(wanted[old.count...], header: newHeader))
        }
        (header, drawn) = (newHeader, [])
        return .replace(header: newHeader, usable(wanted.suffix(Self.countLimit), header: newHeader))
    }

    /// The cues that libass can draw: without their overrides, or not at all, where a moment would need too much memory.
    private mutating func usable(_ cues: ArraySlice<SubtitleCue>, header: String) -> [SubtitleCue] {
        let script = ScriptWeight(header: header)
        var usable: [SubtitleCue] = []
        for var cue in cues where cue.header == header && cue.duration > 0 {
            guard cue.text.utf8.count <= Self.textLimit else { continue }
            let (end, isEndless) = cue.start.addingReportingOverflow(cue.duration)
            let time = cue.start..<(isEndless ? .max : end)
            let room = drawn.reduce(ScriptWeight.limit) { $1.time.overlaps(time) ? $0 - $1.weight : $0 }
            var weight = script.weight(of: cue.text)
            // Also if no number came out.
            if !(weight <= room) {
                cue.text = ScriptWeight.plainEvent(cue.text)
                weight = script.weight(of: cue.text)
            }
            guard weight <= room else { continue }
            if weight > 0 { drawn.append((time, weight)) }
            usable.append(cue)
        }
        return usable
    }
}
