import CoreMedia

@testable import Playback

/// Section 3 of the reference as rules for successive looks at a player. The rules know nothing of the
/// player's implementation; where the reference leaves a choice, both ways are right.
struct Contract: Sendable {
    enum Asked: Sendable {
        case rate(Float)
        case immediately(Float)
        case waits(Bool)
        case seek(Double)
        case edit
        case interrupted
        case other

        var isOfRate: Bool {
            switch self {
            case .rate, .immediately, .interrupted: true
            default: false
            }
        }
    }

    /// Seconds that a violation may last, because a player acts only at its next wake-up.
    static let patience = 0.15
    /// Longest evaluation of the fill rate, in seconds.
    static let shortLook = 1.0
    /// Seconds of playback that a start needs, by 3.2.
    static func startLevel(_ server: SimulatedServer?) -> Double { server?.isRemote == false ? 0.5 : 2 }

    /// Seconds ahead that suffice for a start: from a server slower than playback, enough for 18 s without a stall, but
    /// at most 10 s; less after 20 s of waiting, and after 30 s the start level.
    ///
    /// - Parameters:
    ///   - speed: Seconds of sound that arrive per second.
    ///   - waited: Seconds for which there has been some sound, but not enough.
    static func enough(
        _ server: SimulatedServer?, rate: Double, speed: Double?, waited: Double = 0
    ) -> Double {
        let usual = startLevel(server) * max(1, rate)
        let slow = min(18 * ((rate > 0 ? rate : 1) - (speed ?? .infinity)), 10)
        guard slow > usual else { return usual }
        return max(usual, slow - (slow - usual) * max(0, waited - 20) / 10)
    }

    private(set) var complaints: [String] = []
    /// The complaints that are valid for every program.
    private(set) var sureComplaints: [String] = []
    private(set) var looks = 0
    /// The names of the live streams.
    var liveNames: Set<String> = []
    let output: SimulatedRoute.Depth
    let lateness: Double
    var waits = true
    /// Whether the program made a call since the last look while `waits` was false.
    private var neededNotWait = false
    var isImmediate = false
    /// False after a seek: the reference does not say whether the start then waits for more sound.
    private var isSurelyImmediate = false
    private var last: Seen?
    /// Calls of the program since the last look.
    private var asked: [Asked] = []
    private var wrongSince: [String: Double] = [:]
    private var waitingSince: Double?
    var items: [String: ItemRecord] = [:]
    var isPlayerFailed = false
    /// The rate at which time ran last.
    private var playedRate = 0.0
    /// Whether to rely on what servers state, which may be wrong at any time.
    var trustsServers = true
    /// Time until which rebuffering may be hidden: sound for a new rate, or edited too late, is repacked.
    var repackedUntil = -1.0

    struct ItemRecord: Sendable {
        var ended = 0
        var failed = 0
        var durations = 0
        var duration = Double.nan
        var isStatusTold = false
        var hasFailed = false
        var loadedTold: [Double] = []
        /// Whether a seek came after the end was reported.
        var mayEndAgain = false
        var isEmptyTold = true
    }

    init(output: SimulatedRoute.Depth, lateness: Double) {
        (self.output, self.lateness) = (output, lateness)
    }

    /// Notes a violation that no order of calls can excuse.
    mutating func complainSurely(_ text: String, _ seen: Seen) {
        guard sureComplaints.count < 10 else { return }
        sureComplaints.append("at \((seen.at * 1000).rounded() / 1000): \(text)")
        complain(text, seen)
    }

    mutating func complain(_ text: String, _ seen: Seen) {
        guard complaints.count < 10 else { return }
        complaints.append("at \((seen.at * 1000).rounded() / 1000): \(text)")
    }

    /// Complains if a condition has been wrong for longer than allowed.
    private mutating func lasting(
        _ what: String, _ isWrong: Bool, _ seen: Seen, _ patience: Double = patience
    ) {
        guard isWrong else { return wrongSince[what] = nil }
        let since = wrongSince[what] ?? seen.at
        wrongSince[what] = since
        if seen.at - since > patience + lateness { complain(what, seen) }
    }

    // MARK: Looks

    /// Whether the program made no call since the last look.
    var isQuiet: Bool { asked.isEmpty }
    var lastSeen: Seen? { last }

    mutating func isAsked(_ what: Asked, before seen: Seen) {
        asked.append(what)
        if !waits { neededNotWait = true }
        switch what {
        case .rate: if seen.control == .paused { isImmediate = false }
        // An immediate start without any sound is like a stall, which ends when there is enough.
        // A playing player has started already.
        case .immediately where seen.control == .playing: break
        case .immediately:
            isImmediate =
                seen.seekTarget != nil || !(seen.item?.status == .readyToPlay && seen.isEmpty)
            isSurelyImmediate = isImmediate && seen.seekTarget == nil
        case .waits(let waits): self.waits = waits
        case .seek:
            isSurelyImmediate = false
            if let name = seen.name { items[name]?.mayEndAgain = true }
        case .edit: isSurelyImmediate = false
        case .interrupted, .other: break
        }
    }

    mutating func observe(_ seen: Seen, _ notes: [Note]) {
        looks += 1
        for note in notes { take(note, seen) }
        rateAndReason(seen, notes)
        if last?.name != seen.name { wrongSince = [:] }
        let startedRate = last?.startedRate ?? 0
        let isOther = seen.rate != playedRate || (startedRate != 0 && startedRate != seen.rate)
        if seen.control == .playing, isOther {
            repackedUntil = seen.at + 1 + Self.patience + lateness
        }
        starts(seen)
        stops(seen, notes)
        dryness(seen)
        losses(seen)
        ends(seen)
        time(seen, hasStalled: notes.contains { $0.what == "notice" && $0.value == "stalled" })
        levels(seen)
        ranges(seen)
        let hasPlayed = notes.contains { $0.what == "control" && $0.value == "playing" }
        // Between several calls, a start may have been for an item that is gone by now.
        if hasPlayed { isSurelyImmediate = false }
        if (hasPlayed && asked.isEmpty) || seen.control != .waiting { isImmediate = false }
        if seen.control == .playing, seen.isRunning { playedRate = seen.rate }
        (last, asked, neededNotWait) = (seen, [], false)
    }

    // MARK: 3.1, the table's rows

    /// Rate 0 exactly while paused; a reason exactly while waiting, and the right one.
    private mutating func rateAndReason(_ seen: Seen, _ notes: [Note]) {
        if (seen.rate == 0) != (seen.control == .paused) {
            complainSurely("rate \(seen.rate) while \(seen.control)", seen)
        }
        if (seen.reason != nil) != (seen.control == .waiting) {
            complainSurely("reason \(String(describing: seen.reason)) while \(seen.control)", seen)
        }
        if seen.rate != 0, seen.name == nil, seen.reason != .noItemToPlay {
            complainSurely("no item, and the reason is \(String(describing: seen.reason))", seen)
        }
        if seen.name != nil, seen.reason == .noItemToPlay {
            complainSurely("an item, and noItemToPlay", seen)
        }
        let isOld = last?.control == .waiting && last?.name == seen.name && asked.isEmpty
        waitingSince = seen.control == .waiting ? (isOld ? waitingSince ?? seen.at : seen.at) : nil
        if let waitingSince, seen.at - waitingSince > Self.shortLook + lateness,
            seen.reason == .evaluatingBufferingRate
        {
            complainSurely("a long look at the fill rate", seen)
        }
        if let rate = askedRate, rate != seen.rate {
            // An item that failed or ended just now resets the rate; a live stream has only rate 1.
            let isTaken =
                seen.rate == 0 || (seen.rate == 1 && (seen.item?.facts?.isLive == true || asked.count > 1))
            if !isTaken { complain("rate \(seen.rate) after \(rate) was asked for", seen) }
        }
        guard asked.isEmpty, let last, last.rate != seen.rate else { return }
        // Items may come and go between two looks.
        let hasPassedLive = notes.contains { $0.what == "currentItem" && liveNames.contains($0.value) }
        let isLive = seen.item?.facts?.isLive == true || last.server?.duration == nil || hasPassedLive
        let isClamp = seen.rate == 1 && isLive && last.rate != 0
        if seen.rate != 0, !isClamp {
            complainSurely("the rate went from \(last.rate) to \(seen.rate) by itself", seen)
        }
    }

    /// The rate that was requested last.
    private var askedRate: Double? {
        switch asked.last(where: \.isOfRate) {
        case .rate(let rate), .immediately(let rate): Double(rate)
        default: nil
        }
    }

    /// Conditions under which a start may happen, and those under which it must.
    private mutating func starts(_ seen: Seen) {
        let isReady = seen.item?.status == .readyToPlay
        let level = Self.startLevel(seen.server)
        let isAtDepth = seen.ahead >= mostDepth(seen)
        let goesAtOnce = (!waits || neededNotWait || isImmediate) && !seen.isEmpty
        let mustAtOnce = (!waits || (isImmediate && isSurelyImmediate)) && !seen.isEmpty
        let must =
            mustAtOnce || seen.ahead >= enough(seen) + 1e-6 || seen.isComplete || isAtDepth
        let isSeeking = seen.seekTarget != nil
        lasting(
            "waits although there is enough",
            seen.control == .waiting && isReady && !isSeeking && must && !seen.hasFailed,
            seen)
        guard seen.control == .playing, last?.control != .playing, let last, !isRepacked(seen), !isSeeking
        else { return }
        let fill = seen.feed?.fillRate ?? .infinity
        let missing = seen.item.flatMap {
            $0.duration.isNumeric ? max(0, $0.duration.seconds - seen.itemTime - seen.ahead) : nil
        }
        let keepsUp = missing.map { $0 / fill <= ($0 + seen.ahead) / seen.rate } ?? (fill >= seen.rate)
        let may =
            last.item?.levels.isLikelyToKeepUp == true || must || goesAtOnce || seen.ahead >= level - 1e-6
            || keepsUp || seen.hasFailed
            || seen.ahead >= leastDepth(seen)
            || (last.name != seen.name)
        if !may || !isReady {
            complain(
                "starts with \(seen.ahead) s, fill rate \(fill), status \(String(describing: seen.item?.status))",
                seen)
        }
    }

    private func enough(_ seen: Seen) -> Double {
        Self.enough(seen.server, rate: seen.rate, speed: seen.feed?.fillRate)
    }

    /// 3.2: the preferred buffer duration, or the route's depth, beyond which sound may wait for the route.
    func leastDepth(_ seen: Seen) -> Double { seen.wish > 0 ? seen.wish : min(output.low, 2) }

    func mostDepth(_ seen: Seen) -> Double {
        let piece = seen.server?.piece ?? 0
        return seen.wish > 0
            ? max(seen.wish, 2 * max(1, seen.rate)) + 2 * piece : output.high + 15 + 2 * piece
    }

    /// Playback stops by itself only for a stall, an end, a failure, a seek or another item.
    private mutating func stops(_ seen: Seen, _ notes: [Note]) {
        let told = Set(notes.filter { $0.what == "notice" }.map(\.value))
        if told.contains("stalled") {
            let isRight =
                waits ? seen.control == .waiting && seen.reason == .toMinimizeStalls : seen.rate == 0
            // The sound may have arrived at the same instant.
            let wentOn = waits && seen.control == .playing && !seen.isEmpty
            if asked.isEmpty, !isRight, !wentOn {
                complain("stalled, and \(seen.control) at \(seen.rate)", seen)
            }
            let hasPlayed = notes.contains { $0.what == "control" && $0.value == "playing" }
            if let last, last.control != .playing, asked.isEmpty, !hasPlayed {
                complain("stalled while \(last.control)", seen)
            }
        }
        guard let last, last.control == .playing, seen.control != .playing, asked.isEmpty else { return }
        // A start at the end ends at once.
        guard !isRepacked(seen), !(seen.isComplete && seen.ahead < 1e-6),
            told.isDisjoint(with: ["stalled", "ended", "failed"]),
            last.name == seen.name,
            last.seekTarget == nil,
            seen.seekTarget == nil
        else { return }
        complain("from playing to \(seen.control) for no reason", seen)
    }

    /// When all available sound has been heard, time stands still, and the stall is reported once.
    private mutating func dryness(_ seen: Seen) {
        let isDry =
            seen.control == .playing && seen.isEmpty && !isRepacked(seen) && seen.seekTarget == nil
            && seen.feed != nil
        lasting("plays without any sound at hand", isDry && !seen.hasFailed, seen)
        lasting("plays on after its source failed", isDry && seen.hasFailed, seen)
        let isUnheard =
            !isRepacked(seen) && seen.control == .playing && seen.isRunning && seen.isMute
            && seen.ahead > 0.05
        lasting("time runs, sound is at hand, and none is heard", isUnheard && seen.seekTarget == nil, seen)
    }

    /// All sound that was read is heard.
    private mutating func losses(_ seen: Seen) {
        guard let last, seen.lost > last.lost + 1.0 / 8000 else { return }
        complain("\(seen.lost - last.lost) s came too late for the outputs", seen)
    }

    private func isRepacked(_ seen: Seen) -> Bool { seen.at <= repackedUntil + Self.patience }

    private mutating func ends(_ seen: Seen) {
        guard let duration = seen.item?.duration, let name = seen.name else { return }
        let isThere = duration.isNumeric && seen.itemTime >= duration.seconds - 1e-6
        let isTold = (items[name]?.ended ?? 0) > 0
        lasting(
            "at the end, and nobody is told",
            isThere && seen.isComplete && seen.control == .playing && !isTold && seen.seekTarget == nil, seen)
    }

    // MARK: Time

    private mutating func time(_ seen: Seen, hasStalled: Bool) {
        if seen.itemTime < 0 || !seen.itemTime.isFinite { complainSurely("time \(seen.itemTime)", seen) }
        if seen.name == nil, seen.itemTime != 0 {
            complainSurely("time \(seen.itemTime) without an item", seen)
        }
        if let target = seen.seekTarget, abs(seen.itemTime - target) > 1e-6 {
            complain("time \(seen.itemTime) during a seek to \(target)", seen)
        }
        guard let last, last.name == seen.name, asked.isEmpty, seen.seekTarget == nil, last.seekTarget == nil
        else {
            return
        }
        let (passed, moved) = (seen.at - last.at, seen.itemTime - last.itemTime)
        // A stall or an end between two looks may be reported a little late; time then stands where the
        // sound ended.
        let isOver = seen.isComplete && seen.ahead < 1e-6
        let hasStood = seen.control != .playing || hasStalled || isOver
        if moved < -1e-6, !(hasStood && moved > -Self.patience) {
            complain("time went back by \(-moved)", seen)
        }
        if seen.control == .playing, moved > 0 { playedRate = seen.rate }
        if moved > passed * max(last.rate, seen.rate) + 1e-6 {
            complain("time jumped by \(moved) in \(passed)", seen)
        }
        if last.control != .playing, seen.control != .playing, moved > 1e-6 {
            complainSurely("time runs while \(seen.control)", seen)
        }
        let stands =
            !isRepacked(seen) && seen.control == .playing && last.control == .playing && passed > 0
            && moved < 1e-9 && !isOver
        if passed > 0 {
            lasting(
                "plays, and time stands", stands && seen.ahead >= output.sufficient, seen,
                output.startDelay + Self.patience)
        }
    }

    // MARK: 3.2, flags and ranges

    private mutating func levels(_ seen: Seen) {
        guard let item = seen.item, item.status != .failed, seen.seekTarget == nil, seen.feed?.facts != nil,
            !isRepacked(seen)
        else {
            wrongSince = [:]
            return
        }
        let levels = item.levels
        lasting("empty is \(levels.isEmpty)", levels.isEmpty != seen.isEmpty, seen)
        if levels.isEmpty, levels.isLikelyToKeepUp || levels.isFull { complain("empty, and \(levels)", seen) }
        let isEnough = seen.isComplete || seen.ahead >= enough(seen) + 1e-6
        lasting(
            "not likely to keep up with \(seen.isComplete ? "all" : "enough")",
            isEnough && !levels.isLikelyToKeepUp, seen)
        lasting("not full", !levels.isFull && (seen.isComplete || seen.ahead >= mostDepth(seen)), seen)
        let isShallow = !seen.isComplete && !seen.hasFailed && seen.ahead < leastDepth(seen) / 2 - 1e-6
        lasting("full", levels.isFull && isShallow, seen, 0.4)
    }

    private mutating func ranges(_ seen: Seen) {
        guard seen.control == .playing, last?.control == .playing, last?.name == seen.name,
            seen.seekTarget == nil,
            last?.seekTarget == nil, let item = seen.item, seen.ahead > 1e-6, !isRepacked(seen)
        else { return lasting("the loaded range", false, seen) }
        // The range is reported four times a second, so it may be that old.
        let slack = 0.35 * seen.rate + 1e-6
        let isInside = item.loaded.map {
            $0.start.seconds <= seen.itemTime + 1.0 / 8000 && seen.itemTime <= $0.end.seconds + slack
        }
        lasting("the loaded range", isInside != true, seen, 0.4)
    }
}
