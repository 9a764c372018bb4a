import AVFoundation
import Synchronization

/// Prints the observable state of a player and of its items: a line for each change and each notification.
///
/// A line has the `player`, the `item` by its number, and the time in milliseconds of the host clock.
struct PlayerWatch: Sendable {
    let player: AVQueuePlayer
    let name: String
    let numbers: ItemNumbers

    // MARK: The player

    /// Observations last as long as the program.
    func watchPlayer() {
        numbers.keep(
            [
                tell("rate", \.rate) { Double($0) },
                tell("timeControlStatus", \.timeControlStatus) { Self.word($0) },
                tell("reasonForWaitingToPlay", \.reasonForWaitingToPlay) { Self.word($0) },
                tell("currentItem", \.currentItem) { [numbers] item in
                    numbers.number(of: item).map { $0 as Any } ?? NSNull()
                },
                tell("status", \.status) { ["unknown", "readyToPlay", "failed"][$0.rawValue] },
                tell("error", \.error) { Self.word($0) },
            ])
        let center = NotificationCenter.default
        _ = center.addObserver(forName: AVPlayer.rateDidChangeNotification, object: player, queue: nil) {
            [name] note in
            let reason = note.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason
            let word = reason?.rawValue.replacingOccurrences(of: "AVPlayerRateDidChangeReason", with: "")
            reportNow("rateDidChange", ["player": name, "reason": word ?? "none"])
        }
        _ = center.addObserver(forName: AVPlayer.tuttiEditWasLateNotification, object: player, queue: nil) {
            [name] _ in reportNow("editWasLate", ["player": name])
        }
        player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 4), queue: .main) {
            [player, name, numbers] time in
            var facts: [String: Any] = ["player": name, "position": time.seconds]
            facts["left"] = player.items().count
            facts["item"] = numbers.number(of: player.currentItem)
            reportNow("progress", facts)
        }
    }

    private func tell<Value>(
        _ event: String, _ path: KeyPath<AVQueuePlayer, Value>,
        _ shown: @escaping @Sendable (Value) -> Any
    ) -> NSKeyValueObservation {
        player.observe(path, options: .new) { [name] _, change in
            guard let value = change.newValue else { return }
            reportNow(event, ["player": name, "value": shown(value)])
        }
    }

    private static func word(_ status: AVPlayer.TimeControlStatus) -> String {
        switch status {
        case .paused: "paused"
        case .waitingToPlayAtSpecifiedRate: "waiting"
        case .playing: "playing"
        }
    }

    private static func word(_ reason: AVPlayer.WaitingReason?) -> Any {
        switch reason {
        case .toMinimizeStalls: "toMinimizeStalls"
        case .evaluatingBufferingRate: "evaluatingBufferingRate"
        case .noItemToPlay: "noItemToPlay"
        case .none: NSNull()
        case .some(let other): other.rawValue
        }
    }

    fileprivate static func word(_ error: (any Error)?) -> Any {
        error.map { $0.localizedDescription as Any } ?? NSNull()
    }

    // MARK: An item

    func watch(_ item: AVPlayerItem) {
        let number = numbers.number(of: item) ?? 0
        let watch = ItemWatch(item: item, player: name, number: number)
        numbers.keep(watch.observations())
        watch.listen()
    }
}

private struct ItemWatch: Sendable {
    let item: AVPlayerItem
    let player: String
    let number: Int

    func observations() -> [NSKeyValueObservation] {
        [
            tell("itemStatus", \.status) { ["unknown", "readyToPlay", "failed"][$0.rawValue] },
            tell("itemError", \.error) { PlayerWatch.word($0) },
            tell("duration", \.duration) { $0.isNumeric ? $0.seconds as Any : "indefinite" },
            tell("isPlaybackBufferEmpty", \.isPlaybackBufferEmpty) { $0 },
            tell("isPlaybackBufferFull", \.isPlaybackBufferFull) { $0 },
            tell("isPlaybackLikelyToKeepUp", \.isPlaybackLikelyToKeepUp) { $0 },
            tell("loadedTimeRanges", \.loadedTimeRanges) { Self.seconds($0) },
            tell("seekableTimeRanges", \.seekableTimeRanges) { Self.seconds($0) },
            tell("timedMetadata", \.timedMetadata) { titles in
                (titles ?? []).map { "\($0.identifier?.rawValue ?? "none"): \($0.stringValue ?? "none")" }
            },
        ]
    }

    private static func seconds(_ ranges: [NSValue]) -> [[Double]] {
        ranges.map(\.timeRangeValue).map { [$0.start.seconds, $0.end.seconds] }
    }

    private func tell<Value>(
        _ event: String, _ path: KeyPath<AVPlayerItem, Value>, _ shown: @escaping @Sendable (Value) -> Any
    ) -> NSKeyValueObservation {
        item.observe(path, options: .new) { [self] _, change in
            guard let value = change.newValue else { return }
            report(event, ["value": shown(value)])
        }
    }

    func listen() {
        listen("didPlayToEndTime", AVPlayerItem.didPlayToEndTimeNotification)
        listen("playbackStalled", AVPlayerItem.playbackStalledNotification)
        listen("timeJumped", AVPlayerItem.timeJumpedNotification)
        listen("failedToPlayToEndTime", AVPlayerItem.failedToPlayToEndTimeNotification) { note, _ in
            let error = note.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? any Error
            return ["words": PlayerWatch.word(error)]
        }
        listen("newAccessLogEntry", AVPlayerItem.newAccessLogEntryNotification) { _, item in
            ["uri": item.accessLog()?.events.last?.uri ?? NSNull()]
        }
        listen("newErrorLogEntry", AVPlayerItem.newErrorLogEntryNotification) { _, item in
            guard let event = item.errorLog()?.events.last else { return [:] }
            return [
                "uri": event.uri ?? NSNull(), "code": event.errorStatusCode,
                "words": event.errorComment ?? NSNull(),
            ]
        }
    }

    private func listen(
        _ event: String, _ name: NSNotification.Name,
        _ more: @escaping @Sendable (Notification, AVPlayerItem) -> [String: Any] = { _, _ in [:] }
    ) {
        _ = NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) { [self] note in
            report(event, more(note, item))
        }
    }

    private func report(_ event: String, _ more: [String: Any]) {
        reportNow(event, more.merging(["player": player, "item": number]) { first, _ in first })
    }
}

/// Numbers of the items of all players: 1 for the first one made.
final class ItemNumbers: Sendable {
    private let items = Mutex<[AVPlayerItem]>([])
    private let observations = Mutex<[NSKeyValueObservation]>([])

    private let kept = Mutex<[any AnyObject & Sendable]>([])

    /// Objects that live as long as the program.
    func keep(_ object: any AnyObject & Sendable) { kept.withLock { $0.append(object) } }

    func add(_ item: AVPlayerItem) { items.withLock { $0.append(item) } }

    func keep(_ more: [NSKeyValueObservation]) { observations.withLock { $0 += more } }

    func number(of item: AVPlayerItem?) -> Int? {
        items.withLock { items in items.firstIndex { $0 === item }.map { $0 + 1 } }
    }

    func item(_ word: String) throws -> AVPlayerItem {
        let all = items.withLock { $0 }
        guard let number = Int(word), all.indices.contains(number - 1) else {
            throw UsageError("no item \(word)")
        }
        return all[number - 1]
    }
}

/// Prints with the host time in milliseconds.
func reportNow(_ event: String, _ facts: [String: Any]) {
    let now = CMClockGetTime(CMClockGetHostTimeClock()).seconds * 1000
    report(event, facts.merging(["at": now]) { first, _ in first })
}
