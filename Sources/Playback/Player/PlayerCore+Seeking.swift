import CoreMedia
import Dispatch
import MediaTime

/// A place that was asked for.
struct Seek: Sendable {
    let id: Int
    var target: CMTime
    /// Of seeks in quick succession only the last one is carried out.
    let earliest: HostTime
    let completion: @Sendable (Bool) -> Void

    /// Always on the main queue, and never from inside a call.
    func end(_ isDone: Bool) {
        let completion = completion
        DispatchQueue.main.async { completion(isDone) }
    }
}

/// Seeks in quick succession, as of a slider that is moved.
struct SeekBurst: Sendable {
    /// The last one.
    private var last: HostTime?
    /// Since when none was carried out.
    private var heldSince: HostTime?

    /// Another seek; tells when it may be carried out.
    mutating func add(_ now: HostTime) -> HostTime {
        defer { last = now }
        guard let last, now.since(last) < Self.gap else {
            heldSince = nil
            return now
        }
        let since = heldSince ?? now
        heldSince = since
        return min(now.advanced(by: Self.quiet), since.advanced(by: Self.longestWait))
    }

    mutating func carriedOut() { heldSince = nil }

    /// Seeks further apart have nothing to do with each other.
    private static let gap = Duration.milliseconds(100)
    /// After so long without another one the last is meant.
    private static let quiet = Duration.milliseconds(40)
    /// Who moves a slider for long hears where it is.
    private static let longestWait = Duration.milliseconds(100)
}

struct Preroll: Sendable {
    let completion: @Sendable (Bool) -> Void

    func end(_ isDone: Bool) {
        let completion = completion
        DispatchQueue.main.async { completion(isDone) }
    }
}

extension PlayerCore {
    /// Goes on at item time `time`, exactly. A later call, or another item, ends this one with `false`.
    package func seek(to time: CMTime, completion: @escaping @Sendable (Bool) -> Void) {
        _ = seek(to: time, of: nil, completion: completion)
    }

    /// - Parameter item: whose time it is; `nil`: the current one's.
    /// - Returns: `false`, and nothing happens, if that is not the current one.
    package func seek(
        to time: CMTime, of item: PlayerItem?, completion: @escaping @Sendable (Bool) -> Void
    ) -> Bool {
        if let item, item !== currentItem { return false }
        cancelPreroll()
        let target = time == .positiveInfinity || time.isNumeric ? max(.zero, time) : .invalid
        let now = clock.now
        let (old, isPossible) = shared.withLock { shared in
            let old = shared.seek
            guard target.isValid, let head = shared.items.first, item.map({ $0 === head }) ?? true,
                head.state.status != .failed
            else { return (nil as Seek?, false) }
            let earliest = shared.burst.add(now)
            shared.seekCount += 1
            shared.seek = Seek(
                id: shared.seekCount, target: target, earliest: earliest, completion: completion)
            return (old, true)
        }
        old?.end(false)
        guard isPossible else {
            Seek(id: 0, target: time, earliest: now, completion: completion).end(false)
            return true
        }
        needsTurn()
        return true
    }

    package func cancelPendingSeeks() {
        let old = shared.withLock { shared in
            defer { shared.seek = nil }
            return shared.seek
        }
        old?.end(false)
    }

    /// Calls back when a start would be heard at once.
    package func preroll(_ completion: @escaping @Sendable (Bool) -> Void) {
        let preroll = Preroll(completion: completion)
        let (old, isPossible) = shared.withLock { shared in
            defer { shared.preroll = shared.items.isEmpty ? nil : preroll }
            return (shared.preroll, !shared.items.isEmpty)
        }
        old?.end(false)
        if isPossible { needsTurn() } else { preroll.end(false) }
    }

    package func cancelPreroll() {
        let old = shared.withLock { shared in
            defer { shared.preroll = nil }
            return shared.preroll
        }
        old?.end(false)
    }

    // MARK: On the queue

    func beginSeek() {
        guard let seek = shared.withLock({ $0.seek }), seek.id != begunSeek, timeUntilSeek == nil,
            let head = laid.first, let facts = head.feed.state.facts
        else { return }
        begunSeek = seek.id
        shared.withLock { $0.burst.carriedOut() }
        guard facts.isSeekable else { return finish(seek, isDone: false) }
        let target = place(of: seek.target, head, facts)
        guard target.isNumeric else { return finish(seek, isDone: false) }
        hasEnded = false
        shared.withLock { shared in
            if shared.seek?.id == seek.id { shared.seek?.target = target }
        }
        let time = head.start + target
        if isInOutputs(time, head) {
            jump(to: time)
            return land(seek)
        }
        refill(from: target)
        update { $0.machine.mustRefill() }
    }

    /// The end at most; where that is a guess, there may be sound behind it.
    private func place(of target: CMTime, _ head: LaidItem, _ facts: ItemFacts) -> CMTime {
        let duration = head.measuredDuration ?? facts.duration
        guard duration.isNumeric, !head.isDurationGuessed || !target.isNumeric else { return target }
        return min(target, duration)
    }

    /// How long the last seek waits for others; until then nothing is heard.
    var timeUntilSeek: Duration? {
        guard let seek = shared.withLock({ $0.seek }), seek.id != begunSeek else { return nil }
        let left = seek.earliest.since(clock.now)
        return left > .zero ? left : nil
    }

    /// The outputs have it, and what follows it.
    private func isInOutputs(_ time: CMTime, _ head: LaidItem) -> Bool {
        guard !isSplicing, time >= timeline.currentTime, head.end > head.start else { return false }
        return head.isComplete ? time < head.end : time + Self.leastInOutputs < head.end
    }

    private static let leastInOutputs = CMTime(value: 2, timescale: 1)

    func landSeek() {
        guard let seek = shared.withLock({ $0.seek }), seek.id == begunSeek, let head = laid.first else {
            return
        }
        let state = head.feed.state
        guard state.seekCount == head.seekCount else { return }
        if state.hasSound { return land(seek) }
        if state.error != nil { finish(seek, isDone: false) }
    }

    private func land(_ seek: Seek) {
        finish(seek, isDone: true)
        laid.first?.item.post(.timeJumped)
    }

    private func finish(_ seek: Seek, isDone: Bool) {
        let isLast = shared.withLock { shared in
            guard shared.seek?.id == seek.id else { return false }
            shared.seek = nil
            return true
        }
        if isLast { seek.end(isDone) }
    }

    func finishPreroll() {
        guard let head = laid.first, let preroll = shared.withLock({ $0.preroll }) else { return }
        let state = head.item.state
        guard state.levels.isLikelyToKeepUp || state.levels.isFull,
            head.isComplete || renderQueue.hasSufficientData(at: timeline.currentTime)
        else { return }
        shared.withLock { $0.preroll = nil }
        preroll.end(true)
    }
}
