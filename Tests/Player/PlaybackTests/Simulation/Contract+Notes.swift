@testable import Playback

// Rules for notifications: each is posted once and in order.
extension Contract {
    /// 3.1: "Order of KVO at a start: rate, then timeControlStatus/reason".
    /// 3.2: "duration first, then status".
    static let playerOrder = ["currentItem", "rate", "timeControlStatus", "reasonForWaitingToPlay"]
    static let itemOrder = ["duration", "status"]

    static func isInOrder(_ told: [String], _ order: [String]) -> Bool {
        let places = told.compactMap { order.firstIndex(of: $0) }
        return places == places.sorted()
    }

    mutating func take(_ note: Note, _ seen: Seen) {
        if note.what == "order" { return complainSurely("told in the order \(note.value)", seen) }
        guard note.who != "player" else { return takePlayers(note, seen) }
        var record = items[note.who] ?? ItemRecord()
        defer { items[note.who] = record }
        switch (note.what, note.value) {
        case ("duration", _):
            record.durations += 1
            // Only a duration that turns out shorter is reported again. The duration of a live stream is
            // known at its end.
            let length = Double(note.value) ?? .nan
            let isShorter = record.durations == 1 || (record.durations == 2 && length < record.duration)
            if trustsServers, !isShorter {
                complain("\(note.who): another duration, \(note.value)", seen)
            }
            record.duration = length
            // An item that is no longer current may have been a live stream.
            let isLive = seen.name != note.who || seen.server?.duration == nil
            if record.durations == 1, record.isStatusTold, !isLive {
                complain("\(note.who): status before duration", seen)
            }
        case ("status", let status):
            if record.isStatusTold, status != "failed" || record.failed > 1 {
                complainSurely("\(note.who): status \(status) once more", seen)
            }
            record.isStatusTold = true
            record.hasFailed = status == "failed"
        case ("notice", "ended"):
            record.ended += 1
            if record.ended > 1, !record.mayEndAgain { complainSurely("\(note.who): ended twice", seen) }
            record.mayEndAgain = false
        case ("notice", "failed"):
            record.failed += 1
            if record.failed > 1 { complainSurely("\(note.who): failed twice", seen) }
        case ("empty", let value):
            if (value == "true") == record.isEmptyTold {
                complainSurely("\(note.who): empty told without a change", seen)
            }
            record.isEmptyTold = value == "true"
        case ("loaded", _):
            record.loadedTold = record.loadedTold.filter { note.at - $0 < 1 } + [note.at]
            // Four reports a second, plus those that a seek or an end adds.
            if record.loadedTold.count > 8 {
                complain("\(note.who): ranges told \(record.loadedTold.count) times a second", seen)
            }
        default: break
        }
    }

    private mutating func takePlayers(_ note: Note, _ seen: Seen) {
        switch note.what {
        case "status":
            // Unknown, then ready; failed is final.
            if note.value == "unknown" || isPlayerFailed {
                complainSurely("player status \(note.value)", seen)
            }
            if note.value == "failed" { isPlayerFailed = true }
        case "editWasLate": repackedUntil = seen.at + 1 + Self.patience + lateness
        case "currentItem":
            guard isQuiet, let before = lastSeen, let name = before.name, note.value != name else { return }
            isLeft(name, before, note, seen)
        default: break
        }
    }

    /// 3.3: "currentItem changes when the new item is heard".
    private mutating func isLeft(_ name: String, _ before: Seen, _ note: Note, _ seen: Seen) {
        if before.hasFailed || items[name]?.hasFailed == true { return }
        // An item that begins where its source turns out to end ends at once.
        if before.seekTarget != nil || before.item?.status == .unknown { return }
        if let feed = before.feed, feed.loadedEnd == feed.loadedStart { return }
        let heard = before.itemTime + (note.at - before.at) * before.rate
        // The item may have turned out shorter just now.
        let ends = [before.item?.duration.seconds, items[name]?.duration].compactMap(\.self)
        let end = ends.filter(\.isFinite).min() ?? .infinity
        let isHeard = heard >= end - 1e-3
        // A live stream has no duration to compare with.
        let isLive = before.item?.duration.isNumeric == false && before.isComplete
        if !isHeard, !isLive { complain("\(name) was left at \(heard) of \(end)", seen) }
    }
}
