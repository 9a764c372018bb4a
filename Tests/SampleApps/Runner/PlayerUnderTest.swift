import AVFoundation

/// A queue player driven by commands; ``PlayerWatch`` prints the effects.
///
///     play | pause | rate R | default R | immediately R
///     appoint RATE SECONDS LEAD                the item's SECONDS play LEAD seconds from now
///     preroll                                  prints when it is done
///     seek SECONDS
///     insert ADDRESS | insert-after ITEM ADDRESS | replace ADDRESS
///     remove ITEM | move ITEM ITEM             moves the first one after the second
///     advance | clear
///     waits on|off | endaction advance|pause|none | level 0...1 | mute on|off
///     ahead ITEM SECONDS                       the item's `preferredForwardBufferDuration`
///     log ITEM                                 prints how the item was fetched
///     place                                    prints the player's time, and the end of its item's loaded range
///
/// and those of ``ItemFeatures``. An ITEM is the number printed for it.
@MainActor
struct PlayerUnderTest: Sendable {
    private let player: AVQueuePlayer
    private let watch: PlayerWatch
    private let numbers: ItemNumbers
    private let name: String

    init(_ name: String, _ addresses: [URL], _ numbers: ItemNumbers) {
        (self.name, self.numbers) = (name, numbers)
        player = AVQueuePlayer()
        watch = PlayerWatch(player: player, name: name, numbers: numbers)
        watch.watchPlayer()
        for address in addresses { player.insert(item(address), after: nil) }
    }

    private func item(_ address: URL) -> AVPlayerItem {
        let item = AVPlayerItem(url: address)
        numbers.add(item)
        watch.watch(item)
        return item
    }

    func perform(_ command: String, _ rest: String) throws {
        let words = rest.split(separator: " ").map(String.init)
        func word(_ index: Int) throws -> String {
            guard words.indices.contains(index) else { throw UsageError("\(command) needs more words") }
            return words[index]
        }
        func number(_ index: Int) throws -> Double { try seconds(word(index)).seconds }
        func isOn() throws -> Bool { try word(0) == "on" }
        if try ItemFeatures(name: name, numbers: numbers).perform(command, words) { return }
        switch command {
        case "own":
            let item = AVPlayerItem(asset: try OwnAddresses.shared.asset(try word(0)))
            numbers.add(item)
            watch.watch(item)
            player.insert(item, after: nil)
        case "play": player.play()
        case "pause": player.pause()
        case "rate": player.rate = Float(try number(0))
        case "default": player.defaultRate = Float(try number(0))
        case "immediately": player.playImmediately(atRate: Float(try number(0)))
        case "appoint": appoint(Float(try number(0)), try seconds(word(1)), try seconds(word(2)))
        case "preroll":
            player.preroll(atRate: 1) { [name] in reportNow("prerolled", ["player": name, "done": $0]) }
        case "seek": seek(to: try seconds(word(0)))
        case "insert": player.insert(item(url(try word(0))), after: nil)
        case "insert-after":
            player.insert(item(url(try word(1))), after: try numbers.item(word(0)))
        case "replace": player.replaceCurrentItem(with: item(url(try word(0))))
        case "remove": player.remove(try numbers.item(word(0)))
        case "move":
            let moved = try numbers.item(word(0))
            player.remove(moved)
            player.insert(moved, after: try numbers.item(word(1)))
        case "advance": player.advanceToNextItem()
        case "clear": player.removeAllItems()
        case "waits": player.automaticallyWaitsToMinimizeStalling = try isOn()
        case "endaction": player.actionAtItemEnd = try action(word(0))
        case "level": player.volume = Float(try number(0))
        case "mute": player.isMuted = try isOn()
        case "ahead": try numbers.item(word(0)).preferredForwardBufferDuration = try number(1)
        case "log": tellLog(of: try numbers.item(word(0)))
        case "place": tellPlace()
        default: throw UsageError("no command \(command)")
        }
    }

    private func action(_ word: String) throws -> AVPlayer.ActionAtItemEnd {
        switch word {
        case "advance": .advance
        case "pause": .pause
        case "none": .none
        default: throw UsageError("endaction advance, pause or none")
        }
    }

    private func appoint(_ rate: Float, _ time: CMTime, _ lead: CMTime) {
        let host = CMClockGetTime(CMClockGetHostTimeClock()) + lead
        player.setRate(rate, time: time, atHostTime: host)
        reportNow("appointed", ["player": name, "host": host.seconds])
    }

    private func seek(to time: CMTime) {
        player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { [name] isDone in
            reportNow("sought", ["player": name, "to": time.seconds, "done": isDone])
        }
    }

    private func tellPlace() {
        let loaded = player.currentItem?.loadedTimeRanges.last?.timeRangeValue.end.seconds
        let facts: [String: Any] = [
            "player": name, "position": player.currentTime().seconds, "rate": Double(player.rate),
            "loaded": loaded ?? NSNull(),
        ]
        reportNow("place", facts)
    }

    private func tellLog(of item: AVPlayerItem) {
        let events = item.accessLog()?.events ?? []
        reportNow(
            "log",
            [
                "player": name, "item": numbers.number(of: item) ?? 0,
                "requests": events.reduce(0) { $0 + $1.numberOfMediaRequests },
                "bytes": events.reduce(0) { $0 + $1.numberOfBytesTransferred },
                "stalls": events.last?.numberOfStalls ?? 0,
                "failures": item.errorLog()?.events.count ?? 0,
            ])
    }
}
